import type { AgentCall, Prompt } from '../driver.ts';

/** The first prompt of an agent that is a program of its own: instructions, task, and where a result may be left. */
export function programPrompt(call: AgentCall, prompt: Prompt, result_file: string): string {
  return [
    call.system.trim(),
    withAside(prompt),
    `Instead of the fenced block you may write the result to \`${result_file}\`. Work in the folder that you were started in; git is out of bounds.`,
  ].join('\n\n');
}

/** A later prompt to an agent that does not remember: what was asked, what it said, what is asked now. */
export function retoldPrompt(first: string, said: string, prompt: Prompt): string {
  return [first, `You have done this already, and your last message was:\n\n${said.trim()}`, withAside(prompt)].join(
    '\n\n---\n\n',
  );
}

export function withAside({ text, aside }: Prompt): string {
  return aside === undefined ? text : `${text}\n\n${aside}`;
}
