import { isDeepStrictEqual } from 'node:util';
import { DevLoopError } from '../../domain/errors.ts';
import type { BucketClient } from './bucket-client.ts';
import { readXml, textOf, type XmlElement } from './bucket-xml.ts';

export interface ListingPage {
  readonly items: readonly XmlElement[];
  /** When the answer was made, by the bucket's own clock; milliseconds since 1970. */
  readonly now: number;
}

/** Lists the objects of a bucket, or the uploads that have begun and not ended, below a prefix, page by page. */
export async function* listPages(
  client: BucketClient,
  { kind, prefix, signal }: { kind: keyof typeof LISTINGS; prefix: string; signal?: AbortSignal | undefined },
): AsyncGenerator<ListingPage> {
  const { root, item, query, next } = LISTINGS[kind];
  let from: Readonly<Record<string, string>> | undefined = {};
  while (from !== undefined) {
    const request = { method: 'GET', key: '', query: { ...query, prefix, ...from }, ok: [200], signal } as const;
    const page: ListingPage & { readonly document: XmlElement } = await client.send(request, async (answer) => {
      const document = await readXml(answer, root);
      const items = document.children.filter(({ name }) => name === item);
      return { document, items, now: Date.parse(answer.response.headers.get('date') ?? '') || Date.now() };
    });
    yield page;
    const after = textOf(page.document, 'IsTruncated') === 'true' ? next(page.document) : undefined;
    if (after !== undefined && isDeepStrictEqual(after, from)) throw endless(root);
    from = after;
  }
}

function endless(root: string): DevLoopError {
  return new DevLoopError('bucket_refused', `the bucket’s ${root} leads to itself and never ends`, {
    hint: 'Check `bucket_url`: it is the address of an S3-compatible bucket.',
  });
}

const LISTINGS = {
  objects: {
    root: 'ListBucketResult',
    item: 'Contents',
    query: { 'list-type': '2' },
    next: (page: XmlElement) => ({ 'continuation-token': textOf(page, 'NextContinuationToken') }),
  },
  uploads: {
    root: 'ListMultipartUploadsResult',
    item: 'Upload',
    query: { uploads: '' },
    next: (page: XmlElement) => ({
      'key-marker': textOf(page, 'NextKeyMarker'),
      'upload-id-marker': textOf(page, 'NextUploadIdMarker'),
    }),
  },
} as const;
