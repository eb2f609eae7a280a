/** A function that calls itself, written as a generator: its open calls are kept in a list and not on the stack. */
export type Nested<T> = Generator<Nested<unknown>, T, unknown>;

/** Calls a nested function from inside another: `const result = yield* callNested(walk(child))`. */
export function* callNested<T>(call: Nested<T>): Nested<T> {
  // What is sent back is what the call returned.
  return (yield call) as T;
}

/** Runs a nested function to its end. What one of its calls throws ends them all. */
export function runNested<T>(outermost: Nested<T>): T {
  const callers: Nested<unknown>[] = [];
  let current: Nested<unknown> = outermost;
  for (let returned: unknown; ;) {
    const { done, value } = current.next(returned);
    if (!done) {
      callers.push(current);
      current = value;
      returned = undefined;
      continue;
    }
    const caller = callers.pop();
    // The last one to end is the outermost.
    if (caller === undefined) return value as T;
    current = caller;
    returned = value;
  }
}
