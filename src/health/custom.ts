import { booleanAt, fieldsAt, isFields, type Fields, type KubeObject } from "../object/index.ts";
import { isSaid, signOfCondition, type Said } from "./condition-sign.ts";
import { signOfCounts } from "./count-sign.ts";
import { failed, progressing, ready, readyWith, type Health, type KindFacts } from "./health.ts";
import type { Sign } from "./sign.ts";
import { signsOfState } from "./state-sign.ts";
import { wordsOf } from "./words.ts";

/** Kinds named after something that comes to an end: running is not there yet. */
const errands = new Set("run job task workflow experiment migration backup restore test execution build evaluation instance_none".split(" "));

/** Judges an object of a kind that nothing is known of, by the conventions that statuses follow. */
export function custom(object: KubeObject, { hasStatus }: KindFacts): Health {
  const suspended = ["suspend", "suspended", "paused", "pause"].find((name) => booleanAt(object, `spec.${name}`));
  if (suspended !== undefined) return readyWith(`suspended: spec.${suspended} is true`);
  const status = fieldsAt(object, "status");
  if (Object.keys(status).length === 0) return hasStatus ? { state: "progressing", because: "no status yet", silent: true } : ready;
  const ends = errands.has(wordsOf(object.kind ?? "").at(-1) ?? "");
  const top = conditionsIn(status).flatMap((condition) => signOfCondition(condition) ?? []);
  const nested = nestedConditions(status).flatMap((condition) => signOfCondition(condition) ?? []);
  const states = signsOfState(status, ends);
  const counts = signOfCounts(object);
  return verdict([...states, ...top, ...(counts === undefined ? [] : [counts])], nested);
}

function verdict(signs: readonly Sign[], nested: readonly Sign[]): Health {
  const wholes = signs.filter(({ whole }) => whole);
  const settled = wholes.length > 0 && wholes.every(({ tone }) => tone === "good");
  const bad = signs.find(({ tone, whole }) => tone === "bad" && (whole || !settled)) ?? nested.find(({ tone }) => tone === "bad");
  if (bad !== undefined) return failed(bad.because);
  const busy = [...wholes, ...signs].find(({ tone, whole }) => tone !== "good" && (whole || !settled));
  if (busy !== undefined) return progressing(busy.because);
  const part = settled ? undefined : nested.find(({ tone }) => tone !== "good");
  if (part !== undefined) return progressing(part.because);
  return ready;
}

function conditionsIn(status: Fields): readonly Said[] {
  const { conditions } = status;
  return Array.isArray(conditions) ? conditions.filter(isSaid) : [];
}

function nestedConditions(value: Fields): readonly Said[] {
  return Object.entries(value).flatMap(([name, item]) => {
    if (name === "conditions") return [];
    const inside = (Array.isArray(item) ? item : [item]).filter(isFields);
    return inside.flatMap((each) => [...conditionsIn(each), ...nestedConditions(each)]);
  });
}
