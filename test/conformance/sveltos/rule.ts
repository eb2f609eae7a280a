import type { Difference } from "./difference.ts";
import type { State } from "./scenario.ts";

/** Both states after a step, normalised, with the record's names; and what was here before it. */
export type Situation = { readonly recorded: State; readonly got: State; readonly before: State };

/** Something that Sluice does differently on purpose. */
export type Rule = {
  /** What differs: kinds and fields, in a few words. */
  readonly on: string;
  readonly because: string;
  readonly covers: (difference: Difference, situation: Situation) => boolean;
};

type Where = Pick<Rule, "on" | "because"> & {
  /** Default: any. */
  readonly kinds?: readonly string[];
  /** In the management cluster, or in any managed one. Default: both. */
  readonly in?: "management" | "managed";
  /** Matches the path; a difference of an object as a whole has an empty one. Default: any. */
  readonly path?: RegExp;
  readonly when: (difference: Difference, situation: Situation) => boolean;
};

export function rule({ on, because, kinds, in: side, path, when }: Where): Rule {
  const covers: Rule["covers"] = (difference, situation) =>
    (kinds === undefined || kinds.includes(difference.kind)) &&
    (side === undefined || (difference.cluster === "management") === (side === "management")) &&
    (path === undefined || path.test(difference.path)) &&
    when(difference, situation);
  return { on, because, covers };
}
