import { z } from 'zod';
import { parseRemoteName, parseRemoteUrl } from '../../domain/remote.ts';
import { listOf } from './common.ts';

const name = z
  .string()
  .meta({ description: 'Lower-case letters, digits and dashes', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' });

export const newRemote = z.strictObject({
  name: name.transform(parseRemoteName),
  url: z
    .string()
    .max(2000)
    .meta({ description: 'https://host/path.git, ssh://user@host/path.git or user@host:path.git, without a password' })
    .transform(parseRemoteUrl),
});
export const remote = z.object({ name, url: z.string() }).meta({ id: 'Remote' });
export const remoteList = listOf(remote);

export const pushOrder = z.strictObject({
  remote: name,
  branch: z.string().min(1).max(200).default('main').meta({ description: 'The branch there that main goes to' }),
  tags: z.boolean().default(false).meta({ description: 'All tags as well' }),
  token: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/)
    .optional()
    .meta({ description: 'For https; used once, and written down nowhere' }),
});
export const pushed = z.object({
  pushed: z.array(z.object({ ref: z.string(), outcome: z.enum(['made', 'moved', 'same']) })).readonly(),
});
