export type { Command } from './bubblewrap.ts';
export { callEnvironment } from './environment.ts';
export { findPrograms } from './find-programs.ts';
export { type CommandGuard, loadCommandGuard } from './guard/command-guard.ts';
export type { NotedCall, ProcessRecord } from './process-record.ts';
export { type EndedOrphan, endOrphans, type ProcessRecords, processRecords } from './process-records.ts';
export { createSandbox, type Sandbox, type SandboxMode, type SandboxOptions } from './sandbox.ts';
