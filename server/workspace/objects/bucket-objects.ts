import type { BucketPlace } from '../../domain/point.ts';
import { BucketClient, type BucketOptions, dropBody } from './bucket-client.ts';
import { listPages } from './bucket-listing.ts';
import { textOf } from './bucket-xml.ts';
import { checkedContent } from './checked-content.ts';
import { downloadObject } from './download-object.ts';
import type { LargeFile, LargeObjects, ListedObject } from './large-objects.ts';
import { uploadObject } from './upload-object.ts';

/** How large the pieces of an upload are; bytes. Stores take none that are smaller than 5 MiB but the last. */
const PART_BYTES = 8 * 1024 * 1024;

export interface BucketObjectsOptions extends BucketOptions, Pick<BucketPlace, 'store'> {
  readonly part_bytes?: number;
}

/** Contents of large files in an S3-compatible bucket, under `devloop/{store}/{sha256}`. */
export class BucketObjects implements LargeObjects {
  readonly #client: BucketClient;
  readonly #folder: string;
  readonly #partBytes: number;

  constructor(options: BucketObjectsOptions) {
    this.#client = new BucketClient(options);
    this.#folder = `devloop/${options.store}/`;
    this.#partBytes = options.part_bytes ?? PART_BYTES;
  }

  async sizeOf(sha256: string, signal?: AbortSignal): Promise<number | undefined> {
    const request = { method: 'HEAD', key: this.#keyOf(sha256), ok: [200, 404], signal } as const;
    return this.#client.send(request, async ({ response }) =>
      response.status === 404 ? undefined : Number(response.headers.get('content-length')),
    );
  }

  read(file: LargeFile, signal?: AbortSignal): AsyncIterable<Uint8Array> {
    return checkedContent(file, downloadObject(this.#client, { key: this.#keyOf(file.sha256), file, signal }));
  }

  async put(file: LargeFile, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
    if ((await this.sizeOf(file.sha256, signal)) === file.size) return;
    const key = this.#keyOf(file.sha256);
    await uploadObject(this.#client, { key, file, content, partBytes: this.#partBytes, signal });
  }

  async *list(signal?: AbortSignal): AsyncGenerator<ListedObject> {
    for await (const { items, now } of listPages(this.#client, { kind: 'objects', prefix: this.#folder, signal })) {
      for (const item of items) {
        const sha256 = textOf(item, 'Key').slice(this.#folder.length);
        const age_ms = ageAt(now, textOf(item, 'LastModified'));
        if (/^[0-9a-f]{64}$/.test(sha256)) yield { sha256, size: Number(textOf(item, 'Size')), age_ms };
      }
    }
  }

  async remove(sha256: string, signal?: AbortSignal): Promise<void> {
    await this.#delete(this.#keyOf(sha256), {}, signal);
  }

  async sweep(age_ms: number, signal?: AbortSignal): Promise<void> {
    for await (const { items, now } of listPages(this.#client, { kind: 'uploads', prefix: this.#folder, signal })) {
      for (const item of items) {
        const key = textOf(item, 'Key');
        if (!key.startsWith(this.#folder) || ageAt(now, textOf(item, 'Initiated')) < age_ms) continue;
        await this.#delete(key, { uploadId: textOf(item, 'UploadId') }, signal);
      }
    }
  }

  #keyOf(sha256: string): string {
    return `${this.#folder}${sha256}`;
  }

  async #delete(key: string, query: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<void> {
    await this.#client.send({ method: 'DELETE', key, query, ok: [200, 204, 404], signal }, dropBody);
  }
}

/** Milliseconds; `now` knows whole seconds only, so that what has just been made may seem to be of the future. */
const ageAt = (now: number, time: string): number => Math.max(0, now - Date.parse(time));
