/** A number that is never less than zero. */
export function createCounter() {
  let value = 0;
  return {
    value: () => value,
    up: () => ++value,
    down: () => --value,
    reset: () => (value = 0),
  };
}
