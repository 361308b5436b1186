// Loaded into a Node started by the bootstrap: when the bootstrap is killed, its end of descriptor 3 closes and we end as it did.
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// A thread loads this too, and would close the descriptor at its end: its number would go to another file of the process.
if (isMainThread && (fstatSync(3).isFIFO() || fstatSync(3).isSocket())) {
  const parent = new Socket({ fd: 3, readable: true, writable: false });
  parent.on('close', () => process.kill(process.pid, 'SIGKILL'));
  parent.on('error', () => process.kill(process.pid, 'SIGKILL'));
  parent.resume();
  parent.unref();
}
