/** How the act ended, as its process said before it was killed. */
export type ActEnd =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'killed' };

/**
 * One operation to be hurt at each of its writing system calls. `setup` makes a folder once; every injection works on a
 * copy of it: `act` runs in a process of its own, `check` throws where something was lost, broken or left behind.
 */
export interface Scenario {
  readonly name: string;
  setup(folder: string): Promise<void>;
  /** Opens what it needs and returns the operation itself: only that is traced. */
  prepare(folder: string): Promise<() => Promise<void>>;
  check(folder: string, end: ActEnd): Promise<void>;
}
