import { z } from 'zod';
import { setting } from './setting.ts';

/** A credential becomes part of a header: no other bytes than those that a header takes. */
const credential = z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must be visible ASCII characters');
const secret = { form: 'text', secret: true, environmentOnly: true, personal: true } as const;

/** The settings of the bucket that large files of workspaces can be kept in, by their names in the files. */
export const BUCKET_SETTINGS = {
  bucket_url: setting({
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2000)
      .refine((text) => isPlain(text), 'must have no user, no query and no fragment'),
    default_text: 'none',
    form: 'text',
    env: 'DEVLOOP_BUCKET_URL',
    doc: 'Address of an S3-compatible bucket itself, such as `https://s3.example.org/my-bucket`: where large files of workspaces can be kept.',
    personal: true,
  }),
  bucket_region: setting({
    schema: z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a region'),
    default: 'us-east-1',
    form: 'text',
    env: 'DEVLOOP_BUCKET_REGION',
    doc: 'The region of the bucket.',
    personal: true,
  }),
  bucket_access_key_id: setting({
    schema: credential,
    default_text: 'none',
    env: 'DEVLOOP_BUCKET_ACCESS_KEY_ID',
    doc: 'Who asks the bucket. By the environment only.',
    ...secret,
  }),
  bucket_secret_access_key: setting({
    schema: credential,
    default_text: 'none',
    env: 'DEVLOOP_BUCKET_SECRET_ACCESS_KEY',
    doc: 'What proves it. By the environment only.',
    ...secret,
  }),
  bucket_session_token: setting({
    schema: credential,
    default_text: 'none',
    env: 'DEVLOOP_BUCKET_SESSION_TOKEN',
    doc: 'What goes with credentials that are lent for a time. By the environment only.',
    ...secret,
  }),
} as const;

function isPlain(text: string): boolean {
  const address = URL.parse(text);
  return address !== null && [address.username, address.password, address.search, address.hash].every((part) => !part);
}
