import { type AgentCall, type CallFailure, failure } from '../driver.ts';
import type { OpenChat } from './model-driver.ts';
import { openAiChat } from './openai-chat.ts';

const MOST_TURNS = 60;

/** Opens the endpoint that a call's team names. @param secret reads a key by the name of its environment variable. */
export function liveChat(secret: (name: string) => string | undefined): (call: AgentCall) => OpenChat | CallFailure {
  return ({ context: { team } }) => {
    if (team.driver !== 'model') return failure('not_started', `the team's driver is ${team.driver}`);
    const { base_url, model, api_key_env, temperature, price } = team;
    const api_key = api_key_env === undefined ? undefined : secret(api_key_env);
    if (api_key_env !== undefined && api_key === undefined)
      return failure('not_started', `the environment variable ${api_key_env}, which holds the model's key, is not set`);
    const chat = openAiChat({
      base_url,
      model,
      ...(api_key === undefined ? {} : { api_key }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(price === undefined ? {} : { price }),
    });
    return { kind: 'chat', chat, about: { model }, max_turns: team.max_turns ?? MOST_TURNS };
  };
}
