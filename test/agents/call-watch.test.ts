import assert from 'node:assert/strict';
import { after, beforeEach, describe, it, mock } from 'node:test';
import { watchCall } from '../../server/agents/call-watch.ts';

const LIMITS = { wall_ms: 10_000, idle_ms: 1000, output_bytes: 100, write_bytes: 50 };

describe("a call's limits", () => {
  beforeEach(() => {
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  after(() => mock.timers.reset());

  const watch = (cancel = new AbortController()) => ({ cancel, watch: watchCall(LIMITS, cancel.signal) });

  it('end it when it is silent for too long, however it began', () => {
    const { watch: call } = watch();
    mock.timers.tick(900);
    call.heard(1);
    mock.timers.tick(900);
    assert.equal(call.stopped(), undefined);
    mock.timers.tick(100);
    assert.equal(call.stopped()?.reason, 'timeout_idle');
    assert.equal(call.signal.aborted, true);
  });

  it('end it at the wall, however busy it is', () => {
    const { watch: call } = watch();
    for (let i = 0; i < 19; i++) {
      mock.timers.tick(500);
      call.heard(1);
    }
    assert.equal(call.stopped(), undefined);
    mock.timers.tick(500);
    assert.equal(call.stopped()?.reason, 'timeout_wall');
  });

  it('leave it alone while the server works for it', async () => {
    const { watch: call } = watch();
    const work = Promise.withResolvers<string>();
    const working = call.working(() => work.promise);
    mock.timers.tick(4000);
    call.heard(1);
    mock.timers.tick(3000);
    assert.equal(call.stopped(), undefined);
    work.resolve('done');
    assert.equal(await working, 'done');
    mock.timers.tick(999);
    assert.equal(call.stopped(), undefined);
    mock.timers.tick(1);
    assert.equal(call.stopped()?.reason, 'timeout_idle');
  });

  it('end it when it prints or writes too much', () => {
    const printing = watch().watch;
    printing.heard(100);
    assert.equal(printing.stopped(), undefined);
    printing.heard(1);
    assert.equal(printing.stopped()?.detail, 'printed more than 100 bytes');
    const writing = watch().watch;
    writing.wrote(51);
    assert.equal(writing.stopped()?.reason, 'output_limit');
  });

  it('give way to a cancel, before and during the call', () => {
    const { cancel, watch: call } = watch();
    cancel.abort();
    assert.equal(call.stopped()?.reason, 'cancelled');
    assert.equal(watch(cancel).watch.stopped()?.reason, 'cancelled');
  });

  it('keep to the first that was reached', () => {
    const { cancel, watch: call } = watch();
    call.heard(101);
    cancel.abort();
    mock.timers.tick(10_000);
    assert.equal(call.stopped()?.reason, 'output_limit');
  });

  it('are nothing any more after the end', () => {
    const { cancel, watch: call } = watch();
    call.close();
    mock.timers.tick(20_000);
    cancel.abort();
    assert.equal(call.stopped(), undefined);
  });
});
