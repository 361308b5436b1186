import { join } from 'node:path';
import { type AgentCall, type AgentDriver, type CallFailure, failure } from '../driver.ts';
import { modelDriver, type OpenChat } from '../model/model-driver.ts';
import { callWords } from './call-words.ts';
import { findRecording } from './find-recording.ts';
import { turnKey } from './recording-lines.ts';
import { replayChat } from './replay-chat.ts';

const NO_MODEL =
  'No recording was made for this requirement: give the project a team with a model (driver `model` with base_url and model).';

/** The model driver with a recording in the model's place. @param templates absolute path of templates/ */
export function recordedDriver(templates: string): AgentDriver {
  return modelDriver((call) => openReplay(join(templates, 'demo'), call));
}

function openReplay(demos: string, { role, input, context }: AgentCall): OpenChat | CallFailure {
  const { team, requirement } = context;
  if (team.driver !== 'recorded') return failure('not_started', `the team's driver is ${team.driver}`);
  const recording = findRecording(demos, {
    requirement,
    ...(team.recording === undefined ? {} : { recording: team.recording }),
  });
  if (recording.kind === 'failed') return recording;
  const { source, model } = recording.header;
  const hint = recording.header.requirement === requirement ? '' : NO_MODEL;
  return {
    kind: 'chat',
    chat: replayChat({ recording, hint, key: turnKey(role, context), words: callWords(context, input) }),
    about: { source, ...(model === undefined ? {} : { model }) },
    max_turns: Number.POSITIVE_INFINITY,
  };
}
