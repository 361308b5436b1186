import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { DevLoopError } from '../../domain/errors.ts';

/** Encrypts a content in the age format, for each of some recipients. */
export async function* encrypted(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  yield* await encrypterFor(recipients).encrypt(ReadableStream.from(copies(content)));
}

/** Decrypts it with one of some identities. Throws `permission_denied` where none of them fits, `store_damaged` where it is cut or changed. */
export async function* decrypted(
  content: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter();
  for (const identity of identities) addIdentity(decrypter, identity);
  const stream = await decrypter.decrypt(ReadableStream.from(copies(content))).catch((cause: unknown) => {
    throw new DevLoopError('permission_denied', 'none of these keys opens the history', {
      hint: 'It was encrypted for the recipients that the settings named then.',
      cause,
    });
  });
  try {
    yield* stream;
  } catch (cause) {
    throw new DevLoopError('store_damaged', 'the history cannot be decrypted to its end', { cause });
  }
}

/** Throws `validation_failed` for what is no recipient, such as a secret key. */
export function checkRecipients(recipients: readonly string[]): void {
  encrypterFor(recipients);
}

/** Makes a key: what encrypts, and what decrypts. */
export async function newKey(): Promise<{ readonly recipient: string; readonly identity: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The identities in the text of an identity file. Throws `validation_failed` where it has none. */
export function identitiesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length > 0) return identities;
  throw new DevLoopError('validation_failed', 'the file holds no age identity', {
    hint: 'A line of it begins with AGE-SECRET-KEY-. One that is itself encrypted is decrypted by `age -d` first.',
  });
}

/** Streams hold chunks for a while, and a source may use its buffer anew. */
async function* copies(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield Uint8Array.from(chunk);
}

function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      // What was given may be a secret key by mistake: it is not repeated.
      throw new DevLoopError('validation_failed', 'a recipient is not one of age', {
        hint: 'It begins with age1. `age-keygen -y FILE` prints that of a key.',
        cause,
      });
    }
  }
  return encrypter;
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch (cause) {
    throw new DevLoopError('validation_failed', 'a key is no identity of age', { cause });
  }
}
