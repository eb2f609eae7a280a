import { fieldsAt, isFields, numberAt, stringAt, type Fields, type KubeObject } from "../core/object/index.ts";
import { conditionsIn, isStale, signOfCondition, type Said } from "./condition-sign.ts";
import { isReplicaCount, signsOfCounts, signsOfReplicas } from "./count-sign.ts";
import { endsByItself } from "./kind-name.ts";
import type { Sign } from "./sign.ts";
import { isElsewhen, isStateName, signOfWord, signsOfState, type Place } from "./state-sign.ts";
import { wordsOf } from "./words.ts";

/** How deep below the status parts of an object are looked for. */
const deepest = 5;

/** Everything that an object's status says of it, the whole before its parts. */
export function signsOf(object: KubeObject): readonly Sign[] {
  const status = fieldsAt(object, "status");
  const ends = endsByItself(stringAt(object, "kind", ""));
  const whole = [
    ...signsOfConditions(object, status),
    ...signsOfState(status, { top: true, ends }),
    // `health: { status: Healthy }` says no less than `health: Healthy`.
    ...Object.keys(status)
      .filter(isSummaryName)
      .flatMap((name) => signsOfState(fieldsAt(status, name), { top: true, ends })),
    ...signsOfReplicas(object),
    ...signsOfCounts(status, "claim", (name) => isReplicaCount(name, object)),
  ];
  // A step of a run may fail and be tried again; the run itself tells when it gives up.
  return ends && whole.length > 0 ? whole : [...whole, ...signsInside(status, { top: false, ends }, deepest)];
}

function isSummaryName(name: string): boolean {
  return name === "health" || wordsOf(name).at(-1) === "result";
}

/** The conditions of the whole and of all parts; those written for an older spec only tell that news is due. */
function signsOfConditions(object: KubeObject, status: Fields): readonly Sign[] {
  const generation = "observedGeneration" in status ? 0 : numberAt(object, "metadata.generation", 0);
  const [own, inner] = [conditionsIn(status), innerConditions(status, deepest)];
  const fresh = (condition: Said) => !isStale(condition, generation);
  const due = own.some((condition) => !fresh(condition)) || (inner.length > 0 && !inner.some(fresh));
  return [
    ...(due ? [{ tone: "busy", weight: "claim", because: `generation ${generation} not yet observed` } satisfies Sign] : []),
    ...own.filter(fresh).flatMap((condition) => signOfCondition(condition) ?? []),
    ...inner.filter(fresh).flatMap((condition) => {
      const sign = signOfCondition(condition);
      return sign === undefined ? [] : [{ ...sign, weight: "part" as const }];
    }),
  ];
}

function innerConditions(fields: Fields, depth: number): readonly Said[] {
  return partsOf(fields).flatMap(([, part]) => [...conditionsIn(part), ...(depth > 0 ? innerConditions(part, depth - 1) : [])]);
}

function signsInside(fields: Fields, place: Place, depth: number): readonly Sign[] {
  return partsOf(fields).flatMap(([name, part]) => [
    ...signsOfState(part, place),
    ...(isStateName(name) ? statesByName(part, place) : []),
    ...signsOfCounts(part, "part"),
    ...(depth > 0 ? signsInside(part, place, depth - 1) : []),
  ]);
}

/** A map from a part's name to its state. */
function statesByName(states: Fields, place: Place): readonly Sign[] {
  return Object.entries(states).flatMap(([name, state]) =>
    typeof state === "string" && !isStateName(name) && wordsOf(state).length < 4 ? (signOfWord(name, state, place) ?? []) : [],
  );
}

/** The objects directly below these fields, alone or in lists, without conditions and without what was or shall be. */
function partsOf(fields: Fields): readonly (readonly [string, Fields])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === "conditions" || isElsewhen(name)) return [];
    return (Array.isArray(value) ? value : [value]).filter(isFields).map((part) => [name, part] as const);
  });
}
