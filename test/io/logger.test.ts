import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger, type LogLevel } from '../../server/io/logger.ts';

function logged(level: LogLevel, use: (log: ReturnType<typeof createLogger>) => void): unknown[] {
  const lines: string[] = [];
  use(createLogger({ level, clock: { now: () => new Date(0) }, write: (line) => lines.push(line) }));
  return lines.map((line) => {
    assert.ok(line.endsWith('\n') && !line.slice(0, -1).includes('\n'));
    return JSON.parse(line);
  });
}

describe('the logger', () => {
  it('writes a line of JSON with time, level, message and data', () => {
    const lines = logged('info', (log) => log.info('a\nb', { pid: 'p-1', big: 2n }));
    assert.deepEqual(lines, [{ ts: '1970-01-01T00:00:00.000Z', level: 'info', message: 'a\nb', pid: 'p-1', big: '2' }]);
  });

  it('is silent below its level', () => {
    const all = (log: ReturnType<typeof createLogger>) => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
    };
    assert.equal(logged('debug', all).length, 4);
    assert.deepEqual(
      logged('warn', all).map((line) => (line as { level: string }).level),
      ['warn', 'error'],
    );
    assert.equal(logged('silent', all).length, 0);
  });

  it('shows errors with code and cause', () => {
    const cause = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const [line] = logged('warn', (log) => log.warn('failed', { error: new Error('commit', { cause }) }));
    const { error } = line as { error: { message: string; stack: string; cause: { code: string } } };
    assert.equal(error.message, 'commit');
    assert.equal(error.cause.code, 'ENOSPC');
    assert.match(error.stack, /logger\.test/);
  });
});
