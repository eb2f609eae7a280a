import { fieldsAt, isFields, numberAt, stringAt, type Fields, type KubeObject } from "../core/object/index.ts";
import { conditionsIn, isStale, signalOfCondition, type StatusCondition } from "./condition-signal.ts";
import { isReplicaCount, countSignals, replicaSignals } from "./count-signals.ts";
import { runsToCompletion } from "./kind-lifecycle.ts";
import type { HealthSignal } from "./health-signal.ts";
import { isOtherTime, isStateName, signalOfWord, stateSignals, type StatusPosition } from "./state-signals.ts";
import { splitWords } from "./split-words.ts";

/** How deep nested parts of a status are read. */
const deepest = 5;

/** Collects all signals of an object's status, those of the whole before those of its parts. */
export function statusSignals(object: KubeObject): readonly HealthSignal[] {
  const status = fieldsAt(object, "status");
  const ends = runsToCompletion(stringAt(object, "kind", ""));
  const whole = [
    ...conditionSignals(object, status),
    ...stateSignals(status, { top: true, ends }),
    // `health: { status: Healthy }` equals `health: Healthy`.
    ...Object.keys(status)
      .filter(isSummaryName)
      .flatMap((name) => stateSignals(fieldsAt(status, name), { top: true, ends })),
    ...replicaSignals(object),
    ...countSignals(status, "claim", (name) => isReplicaCount(name, object)),
  ];
  // A step of a run may fail and be retried. The run itself reports when it gives up.
  return ends && whole.length > 0 ? whole : [...whole, ...nestedSignals(status, { top: false, ends }, deepest)];
}

function isSummaryName(name: string): boolean {
  return name === "health" || splitWords(name).at(-1) === "result";
}

/** The signals of all conditions. Stale conditions only say that a newer status is due. */
function conditionSignals(object: KubeObject, status: Fields): readonly HealthSignal[] {
  const generation = "observedGeneration" in status ? 0 : numberAt(object, "metadata.generation", 0);
  const [own, inner] = [conditionsIn(status), innerConditions(status, deepest)];
  const fresh = (condition: StatusCondition) => !isStale(condition, generation);
  const due = own.some((condition) => !fresh(condition)) || (inner.length > 0 && !inner.some(fresh));
  return [
    ...(due ? [{ hint: "busy", weight: "claim", because: `generation ${generation} not yet observed` } satisfies HealthSignal] : []),
    ...own.filter(fresh).flatMap((condition) => signalOfCondition(condition) ?? []),
    ...inner.filter(fresh).flatMap((condition) => {
      const signal = signalOfCondition(condition);
      return signal === undefined ? [] : [{ ...signal, weight: "part" as const }];
    }),
  ];
}

function innerConditions(fields: Fields, depth: number): readonly StatusCondition[] {
  return partsOf(fields).flatMap(([, part]) => [...conditionsIn(part), ...(depth > 0 ? innerConditions(part, depth - 1) : [])]);
}

function nestedSignals(fields: Fields, position: StatusPosition, depth: number): readonly HealthSignal[] {
  return partsOf(fields).flatMap(([name, part]) => [
    ...stateSignals(part, position),
    ...(isStateName(name) ? statesByName(part, position) : []),
    ...countSignals(part, "part"),
    ...(depth > 0 ? nestedSignals(part, position, depth - 1) : []),
  ]);
}

/** Interprets a map from a part's name to its state. */
function statesByName(states: Fields, position: StatusPosition): readonly HealthSignal[] {
  return Object.entries(states).flatMap(([name, state]) =>
    typeof state === "string" && !isStateName(name) && splitWords(state).length < 4 ? (signalOfWord(name, state, position) ?? []) : [],
  );
}

/** The objects directly below these fields, alone or in lists, without conditions, past and desired state. */
function partsOf(fields: Fields): readonly (readonly [string, Fields])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === "conditions" || isOtherTime(name)) return [];
    return (Array.isArray(value) ? value : [value]).filter(isFields).map((part) => [name, part] as const);
  });
}
