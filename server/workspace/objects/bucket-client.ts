import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { DevLoopError } from '../../domain/errors.ts';
import { AnswerClock } from './answer-clock.ts';
import { refusalOf, unreachable } from './bucket-failure.ts';
import type { BucketRequest } from './bucket-request.ts';

/** What proves to a bucket who asks. Read from the environment only, and never part of a message. */
export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface BucketOptions {
  /** Address of the bucket itself; keys are put behind it. */
  readonly url: string;
  readonly region: string;
  readonly credentials: BucketCredentials;
  /** Waits before each new try, ms; as many tries more. */
  readonly retries_ms?: readonly number[];
  /** How long an answer, or its next bytes, may take; ms. */
  readonly patience_ms?: number;
}

/** An answer whose body has not been read, and the clock that runs while it is. */
export interface BucketAnswer {
  readonly response: Response;
  readonly clock: AnswerClock;
}

/** Reads what an answer says besides its status, which nobody needs, so that its connection can be used again. */
export async function dropBody({ response }: BucketAnswer): Promise<void> {
  await response.arrayBuffer();
}

const RETRIES_MS = [200, 1000, 4000];
const PATIENCE_MS = 60_000;
/** A body may go out this slowly, bytes a millisecond, before its answer is waited for. */
const SLOWEST = 32;
const NO_BODY = { bytes: new Uint8Array(), sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };

/** Speaks the S3 protocol with one bucket, as far as objects need it. */
export class BucketClient {
  readonly #options: BucketOptions;
  readonly #signer: AwsClient;

  constructor(options: BucketOptions) {
    this.#options = options;
    const { credentials, region } = options;
    this.#signer = new AwsClient({ ...credentials, region, service: 's3', retries: 0 });
  }

  /**
   * Sends a request until it is answered well, and its answer was used well; a broken-off one is sent again.
   * @throws DevLoopError bucket_unreachable after the last try, bucket_refused at once
   */
  async send<Result>(request: BucketRequest, use: (answer: BucketAnswer) => Promise<Result>): Promise<Result> {
    const { retries_ms = RETRIES_MS } = this.#options;
    for (let failures = 0; ; failures++) {
      request.signal?.throwIfAborted();
      const failure = await this.#once(request, use).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      if ('value' in failure) return failure.value;
      if (request.signal?.aborted || failure.error instanceof DevLoopError) throw failure.error;
      const wait = retries_ms[failures];
      if (wait === undefined) throw unreachable(this.#options.url, request, failure.error);
      await delay(wait * (0.5 + Math.random() / 2), undefined, request.signal ? { signal: request.signal } : {});
    }
  }

  async #once<Result>(request: BucketRequest, use: (answer: BucketAnswer) => Promise<Result>): Promise<Result> {
    const { patience_ms = PATIENCE_MS } = this.#options;
    const { method, headers, ok, signal, body = NO_BODY } = request;
    const clock = new AnswerClock(patience_ms, signal);
    try {
      clock.start(body.bytes.length / SLOWEST);
      const signed = await this.#signer.sign(this.#address(request), {
        method,
        headers: { ...headers, 'x-amz-content-sha256': body.sha256 },
        ...(method === 'PUT' || method === 'POST' ? { body: body.bytes as Uint8Array<ArrayBuffer> } : {}),
        // An answer that leads elsewhere is no bucket's: nothing is sent after it.
        redirect: 'manual',
        signal: clock.signal,
      });
      const response = await fetch(signed);
      clock.answered();
      clock.start();
      if (!ok.includes(response.status)) throw await refusalOf(this.#options.url, request, response);
      return await use({ response, clock });
    } finally {
      clock.stop();
    }
  }

  #address({ key, query = {} }: BucketRequest): string {
    const address = new URL(this.#options.url);
    if (key !== '') address.pathname = `${address.pathname.replace(/\/$/, '')}/${key}`;
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  }
}
