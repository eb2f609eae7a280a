import { isRefusal, type Refusal } from "../../refusal.ts";

/**
 * Calls `attempt` for each of `count` places, in batches that double as long as none is refused: 1, 2, 4 …
 * After the first batch with a refusal no more is tried. Answers how many succeeded, and the first refusal.
 *
 * Models pkg/controller/replicaset/replica_set.go slowStartBatch
 */
export function slowStart(count: number, attempt: (place: number) => void): { successes: number; refusal?: Refusal } {
  let successes = 0;
  let place = 0;
  for (let batch = Math.min(count, 1); batch > 0; batch = Math.min(2 * batch, count - place)) {
    let refusal: Refusal | undefined;
    for (const end = place + batch; place < end; place++) {
      try {
        attempt(place);
        successes++;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal ??= error;
      }
    }
    if (refusal !== undefined) return { successes, refusal };
  }
  return { successes };
}
