/** Who works: the server's own default, or one of the known agents for every role. */
export const TEAMS = ['default', 'claude', 'codex', 'gemini', 'opencode', 'openai'] as const;

/** What a person has typed into the form so far. */
export interface ProjectDraft {
  readonly requirement: string;
  readonly name: string;
  readonly company: string;
  readonly team: (typeof TEAMS)[number];
  readonly model: string;
  readonly base_url: string;
  readonly api_key_env: string;
  readonly gate_prd: boolean;
  readonly gate_sdd: boolean;
  readonly attempts: string;
  readonly rounds: string;
  readonly tokens: string;
  readonly cost: string;
}

export const emptyDraft: ProjectDraft = {
  requirement: '',
  name: '',
  company: '',
  team: 'default',
  model: '',
  base_url: '',
  api_key_env: '',
  gate_prd: false,
  gate_sdd: false,
  attempts: '',
  rounds: '',
  tokens: '',
  cost: '',
};

/** The draft as the request that creates the project: what was left empty is left out, so that the server's defaults hold. */
export function wishOf(draft: ProjectDraft): Readonly<Record<string, unknown>> {
  const { team, model, base_url, api_key_env } = draft;
  const settings = filled({
    gates: draft.gate_prd || draft.gate_sdd ? { prd: draft.gate_prd, sdd: draft.gate_sdd } : undefined,
    attempts: numberOf(draft.attempts),
    integration_rounds: numberOf(draft.rounds),
    budget: filled({ tokens: numberOf(draft.tokens), cost: numberOf(draft.cost) }),
  });
  return (
    filled({
      requirement: draft.requirement.trim(),
      name: textOf(draft.name),
      company: textOf(draft.company),
      team:
        team === 'default'
          ? undefined
          : { default: filled({ preset: team, ...(team === 'openai' && openAi({ model, base_url, api_key_env })) }) },
      settings,
    }) ?? {}
  );
}

const openAi = ({ model, base_url, api_key_env }: Pick<ProjectDraft, 'model' | 'base_url' | 'api_key_env'>) => ({
  model: textOf(model),
  base_url: textOf(base_url),
  api_key_env: textOf(api_key_env),
});

const textOf = (typed: string): string | undefined => (typed.trim() === '' ? undefined : typed.trim());

/** What is no number goes as it is: the server says what is wrong with it. */
function numberOf(typed: string): number | string | undefined {
  const text = textOf(typed);
  return text === undefined || Number.isNaN(Number(text)) ? text : Number(text);
}

function filled(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
