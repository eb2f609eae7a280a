import { isStatusError, type StatusError } from "../../status-error.ts";

/**
 * Calls `attempt` for each of `count` indexes, in batches that double while all succeed: 1, 2, 4 … Stops after the
 * first batch with an error. Returns the number of successes and the first StatusError.
 *
 * Models pkg/controller/replicaset/replica_set.go slowStartBatch
 */
export function slowStartBatch(count: number, attempt: (index: number) => void): { successes: number; statusError?: StatusError } {
  let successes = 0;
  let index = 0;
  for (let batch = Math.min(count, 1); batch > 0; batch = Math.min(2 * batch, count - index)) {
    let statusError: StatusError | undefined;
    for (const end = index + batch; index < end; index++) {
      try {
        attempt(index);
        successes++;
      } catch (error) {
        if (!isStatusError(error)) throw error;
        statusError ??= error;
      }
    }
    if (statusError !== undefined) return { successes, statusError };
  }
  return { successes };
}
