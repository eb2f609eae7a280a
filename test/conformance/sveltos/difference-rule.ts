import type { StateDifference } from "./state-difference.ts";
import type { FleetState } from "./recorded-scenario.ts";

/** Both states after a step, normalised, with the record's names; and what was here before it. */
export type StepStates = { readonly recorded: FleetState; readonly got: FleetState; readonly before: FleetState };

/** Something that Sluice does differently on purpose. */
export type DifferenceRule = {
  /** What differs: kinds and fields, in a few words. */
  readonly on: string;
  readonly because: string;
  readonly covers: (difference: StateDifference, states: StepStates) => boolean;
};

type RuleOptions = Pick<DifferenceRule, "on" | "because"> & {
  /** Default: any. */
  readonly kinds?: readonly string[];
  /** In the management cluster, or in any managed one. Default: both. */
  readonly in?: "management" | "managed";
  /** Matches the path; a difference of an object as a whole has an empty one. Default: any. */
  readonly path?: RegExp;
  readonly when: (difference: StateDifference, states: StepStates) => boolean;
};

export function differenceRule({ on, because, kinds, in: side, path, when }: RuleOptions): DifferenceRule {
  const covers: DifferenceRule["covers"] = (difference, states) =>
    (kinds === undefined || kinds.includes(difference.kind)) &&
    (side === undefined || (difference.cluster === "management") === (side === "management")) &&
    (path === undefined || path.test(difference.path)) &&
    when(difference, states);
  return { on, because, covers };
}
