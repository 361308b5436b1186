import { claudeDecoder } from './claude-decoder.ts';
import { codexDecoder } from './codex-decoder.ts';
import type { Decoder } from './decoder.ts';
import { geminiDecoder } from './gemini-decoder.ts';
import { plainDecoder } from './plain-decoder.ts';

const DECODERS = { plain: plainDecoder, claude: claudeDecoder, codex: codexDecoder, gemini: geminiDecoder };

export function decoderOf(name: keyof typeof DECODERS): Decoder {
  return DECODERS[name]();
}
