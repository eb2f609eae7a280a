import { conditionsOf, findCondition, timeText, type Condition, type KubeObject } from "../../core/object/index.ts";

/** The conditions that Sluice writes. Each is True while it holds and absent otherwise. */
const conditionTypes = [
  // As in kstatus: the object is not yet as its spec wants it.
  "Reconciling",
] as const;

/** A condition that holds. */
export type HoldingCondition = {
  readonly type: (typeof conditionTypes)[number];
  readonly reason: string;
  readonly message: string;
};

/**
 * The conditions of an object when these hold; null when there are none. One that holds already keeps its
 * lastTransitionTime, and conditions of others stay.
 */
export function conditionsAfter(object: KubeObject, holding: readonly HoldingCondition[], nowMs: number): readonly Condition[] | null {
  const others = conditionsOf(object).filter(({ type }) => !conditionTypes.some((own) => own === type));
  const own = holding.map((condition) => {
    const lastTransitionTime = findCondition(object, condition.type, "True")?.lastTransitionTime ?? timeText(nowMs);
    return { ...condition, status: "True", lastTransitionTime };
  });
  const all = [...others, ...own.toSorted((a, b) => (a.type < b.type ? -1 : 1))];
  return all.length === 0 ? null : all;
}
