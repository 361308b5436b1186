import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { noteLog } from '../../server/cli/note-log.ts';
import { table } from '../../server/cli/table.ts';
import { plain, plainLines } from '../../server/cli/terminal.ts';

const STEERING = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

describe('text from elsewhere', () => {
  it('is one line without anything that a terminal obeys', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.doesNotMatch(plain(text), STEERING)));
    assert.equal(plain('\u001b]0;title\u0007\u001b[31mred'), '�]0;title��[31mred');
  });

  it('keeps its lines where lines are wanted', () => {
    assert.equal(plainLines('one\r\ntwo\n\tthree'), 'one\ntwo\n three');
  });

  it('stays as it is where it is plain', () => {
    for (const text of ['待办事项', 'naïve café', 'emoji 🎉', '']) assert.equal(plain(text), text);
  });
});

describe('a table', () => {
  it('lines its columns up, and lets the last one be as long as it is', () => {
    assert.equal(
      table([
        ['a', 1, 'x'],
        ['long', undefined, 'a longer text'],
      ]),
      'a     1  x\nlong     a longer text\n',
    );
  });

  it('counts wide characters as two', () => {
    assert.equal(
      table([
        ['待办', 'x'],
        ['abcd', 'y'],
      ]),
      '待办  x\nabcd  y\n',
    );
  });

  it('says what there is none of', () => {
    assert.equal(table([], 'no tags\n'), 'no tags\n');
    assert.equal(table([]), '');
  });

  it('is one line a row whatever the cells hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), { minLength: 1 }),
        (rows) => {
          assert.equal(table(rows).split('\n').length, rows.length + 1);
        },
      ),
    );
  });
});

describe('the log among the progress', () => {
  const logged = (level: string) => {
    const lines: string[] = [];
    const log = noteLog(level, (line) => lines.push(line));
    log.debug('d');
    log.info('i', { pid: 'p-1' });
    log.warn('w', { error: new Error('reason', { cause: new Error('deeper') }) });
    log.error('e');
    return lines;
  };

  it('has what is at its level and above', () => {
    assert.deepEqual(logged('info'), ['info: i {"pid":"p-1"}', 'warn: w: reason (deeper)', 'error: e']);
    assert.deepEqual(logged('error'), ['error: e']);
    assert.deepEqual(logged('silent'), []);
  });

  it('has stacks for who debugs only', () => {
    assert.ok(!logged('warn').join('\n').includes('text.test.ts'));
    assert.ok(logged('debug').join('\n').includes('text.test.ts'));
  });
});
