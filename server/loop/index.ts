export { LoopController } from './loop-controller.ts';
export type * from './ports.ts';
export type * from './service.ts';
