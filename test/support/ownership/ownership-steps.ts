import { array, constant, constantFrom, nat, oneof, record, subarray, type Arbitrary } from "fast-check";
import type { PlayStep } from "./ownership-play.ts";
import type { Wish } from "./wish.ts";

const wish: Arbitrary<Wish> = record({
  tier: constantFrom(50, 100, 100, 200),
  objects: subarray([0, 1, 2], { minLength: 1 }),
  syncMode: constantFrom("Continuous", "Continuous", "ContinuousWithDriftDetection"),
  leaves: constantFrom(false, false, false, true),
  release: constantFrom(false, false, true),
});

const profile = nat({ max: 3 });

const step: Arbitrary<PlayStep> = oneof(
  { weight: 6, arbitrary: record({ do: constant("apply" as const), profile, wish }) },
  { weight: 3, arbitrary: record({ do: constant("delete" as const), profile }) },
  {
    weight: 2,
    arbitrary: record({
      do: constant("kill" as const),
      replica: nat({ max: 1 }),
      after: nat({ max: 6 }),
      how: constantFrom("before", "after", "late"),
    }),
  },
  { weight: 2, arbitrary: record({ do: constant("pass" as const), ms: constantFrom(0, 1, 20, 500) }) },
  { weight: 2, arbitrary: constant({ do: "rest" as const }) },
);

/** Profiles that come, change and go while replicas die. */
export const ownershipSteps: Arbitrary<readonly PlayStep[]> = array(step, { minLength: 4, maxLength: 16 });
