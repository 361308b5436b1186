/** True for what the system refused: the disk is full or read-only, or the place is gone. */
export const isRefusal = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
