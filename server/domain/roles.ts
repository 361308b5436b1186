export const ROLES = ['pm', 'architect', 'coder', 'tester', 'integrator', 'bug-triager'] as const;
export type Role = (typeof ROLES)[number];

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export const DEVLOOP: Identity = { name: 'DevLoop', email: 'devloop@devloop.local' };

/** Who signs a role's commits. */
export const ROLE_IDENTITY: Readonly<Record<Role, Identity>> = {
  pm: { name: 'PM Agent', email: 'pm@devloop.local' },
  architect: { name: 'Architect Agent', email: 'architect@devloop.local' },
  coder: { name: 'Coder Agent', email: 'coder@devloop.local' },
  tester: { name: 'Tester Agent', email: 'tester@devloop.local' },
  integrator: { name: 'Integrator Agent', email: 'integrator@devloop.local' },
  'bug-triager': { name: 'BugTriager Agent', email: 'triager@devloop.local' },
};
