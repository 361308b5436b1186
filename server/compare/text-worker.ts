/** A thread that compares two texts; started by text-diff-apart.ts, with the request as its data. */
import { parentPort, workerData } from 'node:worker_threads';
import { type DiffRequest, textDiff } from './text-diff.ts';

parentPort?.postMessage(textDiff(workerData as DiffRequest));
