import type { Usage } from './agent-call.ts';
import type { Price } from './team.ts';

/** Usage with its cost: as the agent told it, else by the price of its tokens; absent where neither is known. */
export function withCost(usage: Usage, price: Price | undefined): Usage {
  const { cost, input_tokens, output_tokens } = usage;
  if (cost !== undefined || price === undefined || input_tokens === undefined || output_tokens === undefined) {
    return usage;
  }
  return { ...usage, cost: (input_tokens * price.input + output_tokens * price.output) / 1_000_000 };
}
