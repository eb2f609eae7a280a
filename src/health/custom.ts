import { condition, fieldsAt, type KubeObject } from "../object/index.ts";
import { failed, progressing, ready, type Health, type KindFacts } from "./health.ts";

/** Judges an object of a kind that nothing is known of, by the conventions that statuses follow. */
export function custom(object: KubeObject, { hasStatus }: KindFacts): Health {
  if (!hasStatus) return ready;
  if (Object.keys(fieldsAt(object, "status")).length === 0) return { state: "progressing", because: "no status yet", silent: true };
  const stalled = condition(object, "Stalled", "True");
  if (stalled !== undefined) return failed(stalled.message ?? "Stalled");
  const answer = condition(object, "Ready");
  if (answer === undefined || answer.status === "True") return ready;
  return progressing(answer.message ?? `Ready is ${answer.status}`);
}
