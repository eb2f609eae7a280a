import type { Difference } from "./difference.ts";
import type { State } from "./scenario.ts";

/** Both states of a step, normalised, with the record's names. */
export type Situation = { readonly recorded: State; readonly got: State };

/** Something that Sluice does differently on purpose. */
export type Rule = {
  /** On what: kinds and fields, in a few words. */
  readonly on: string;
  readonly because: string;
  readonly covers: (difference: Difference, situation: Situation) => boolean;
};

/** Where a rule looks. What is left out is not asked for. */
export type Where = {
  readonly kinds?: readonly string[];
  /** `management`, or any managed cluster. Default: both. */
  readonly in?: "management" | "managed";
  /** Matches the whole path; a difference of the object as a whole has an empty one. */
  readonly path?: RegExp;
  readonly when?: (difference: Difference, situation: Situation) => boolean;
};

export function rule(on: string, because: string, { kinds, in: side, path, when }: Where): Rule {
  const covers: Rule["covers"] = (difference, situation) =>
    (kinds === undefined || kinds.includes(difference.kind)) &&
    (side === undefined || (difference.cluster === "management") === (side === "management")) &&
    (path === undefined || path.test(difference.path)) &&
    (when === undefined || when(difference, situation));
  return { on, because, covers };
}
