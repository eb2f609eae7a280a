import type { StateDifference } from "./state-difference.ts";
import type { FleetState } from "./recorded-scenario.ts";

/** Both states after a step, normalised and with the record's names, and our state before it. */
export type StepStates = { readonly recorded: FleetState; readonly got: FleetState; readonly before: FleetState };

/** Something that Sluice does differently on purpose. */
export type DifferenceRule = {
  /** The kinds and fields that differ. */
  readonly on: string;
  readonly because: string;
  readonly covers: (difference: StateDifference, states: StepStates) => boolean;
};

type RuleOptions = Pick<DifferenceRule, "on" | "because"> & {
  /** Default: any. */
  readonly kinds?: readonly string[];
  /** In the management cluster, or in any managed one. Default: both. */
  readonly in?: "management" | "managed";
  /** Matches the path, which is empty for a difference of a whole object. Default: any. */
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
