export type { DiskFile, DiskFolder, LeftPath } from './disk-tree.ts';
export { type Explanation, explainPath } from './explain-path.ts';
export { type IgnoreList, type IgnoreRule, parseIgnoreList } from './ignore-list.ts';
export type { TreeRules } from './ignore-stack.ts';
export { loadTree, type ReadTree } from './load-tree.ts';
export { HASH_ONLY, type LargeFiles, type ObjectSink, putTree } from './object-sink.ts';
export { isReservedName } from './reserved-names.ts';
export { type Look, openWorkingTree, type WorkingTree, type Written } from './working-tree.ts';
export { finishWriteBacks, type WriteBackReport, writeBack } from './write-back.ts';
