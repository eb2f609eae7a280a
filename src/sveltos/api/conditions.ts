import { conditionsOf, findCondition, timeText, type Condition, type KubeObject } from "../../core/object/index.ts";

/** The conditions that Sluice writes. Each is True while it holds and absent otherwise. */
const conditionTypes = [
  // As in kstatus: the object is not yet as its spec wants it.
  "Reconciling",
  // No cluster matches, so that nothing is deployed.
  "NoMatchingCluster",
  // Events have happened, and no cluster matches to which a trigger deploys.
  "NoMatchingDestination",
  // A cluster does not serve a kind that an EventSource selects.
  "KindNotServed",
  // What was deployed cannot be withdrawn yet.
  "WithdrawalBlocked",
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

/** Those of an object's new conditions that it does not have yet, or with another reason or message. */
export function newConditions(object: KubeObject, after: readonly Condition[] | null): readonly HoldingCondition[] {
  return (after ?? []).flatMap(({ type: name, reason = "", message = "" }) => {
    const type = conditionTypes.find((own) => own === name);
    const before = findCondition(object, name, "True");
    return type === undefined || (before?.reason === reason && before.message === message) ? [] : [{ type, reason, message }];
  });
}

/** How many of many a message names. */
const maxNamed = 3;

/** `a, b, c and 4 more`. */
export function firstFew(texts: readonly string[], separator = ", "): string {
  const rest = texts.length - maxNamed;
  return `${texts.slice(0, maxNamed).join(separator)}${rest > 0 ? ` and ${rest} more` : ""}`;
}
