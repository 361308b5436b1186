import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../domain/roles.ts';
import { sha256 } from './recorded/request-parts.ts';

export interface RolePrompt {
  readonly text: string;
  /** 12 hex digits of the text's sha256; goes into the call's record. */
  readonly digest: string;
}

/** Reads a role's standing instructions. @param templates absolute path of templates/ */
export function rolePrompt(templates: string, role: Role): RolePrompt {
  const text = readFileSync(join(templates, 'prompts', `${role}.md`), 'utf8');
  return { text, digest: sha256(text).slice(0, 12) };
}
