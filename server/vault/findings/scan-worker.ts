import { parentPort } from 'node:worker_threads';
import { scanContent } from './scan-content.ts';
import type { ScanReply, ScanRequest } from './secret-scanner.ts';

// One request is answered at a time; the first message says that all is loaded.
parentPort?.on('message', async ({ content, ext }: ScanRequest) => {
  parentPort?.postMessage({ findings: await scanContent(content, ext) } satisfies ScanReply);
});
parentPort?.postMessage({ findings: [] } satisfies ScanReply);
