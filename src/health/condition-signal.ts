import { isFields, numberAt, stringAt, type Fields } from "../core/object/index.ts";
import { conditionText, factOf } from "./condition-text.ts";
import type { HealthSignal } from "./health-signal.ts";
import {
  isAbsence,
  isAchievement,
  isWorkOnObject,
  impliesRefusal,
  isWarning,
  opensBusy,
  hintOfName,
  hintOfText,
  type HealthHint,
} from "./name-hint.ts";
import { isBeginning, weightOfName, type SignalWeight } from "./signal-weight.ts";
import { splitWords } from "./split-words.ts";

/** Reasons of a progress condition that mean that it is done. */
const doneReasons = new Set("available complete completed succeeded done finished ready healthy running expected".split(" "));

/** A condition of any status: only its type is certain. */
export type StatusCondition = Fields & { readonly type: string };

export function conditionsIn(fields: Fields): readonly StatusCondition[] {
  const { conditions } = fields;
  return Array.isArray(conditions) ? conditions.filter(isStatusCondition) : [];
}

function isStatusCondition(value: unknown): value is StatusCondition {
  return isFields(value) && typeof value["type"] === "string";
}

/** Whether the condition belongs to an older generation. */
export function isStale(condition: StatusCondition, generation: number): boolean {
  return numberAt(condition, "observedGeneration", generation) < generation;
}

/** Interprets a condition by the polarity of its type: whether True is good, bad or work in progress. */
export function signalOfCondition(condition: StatusCondition): HealthSignal | undefined {
  const meaning = meaningOf(condition.type);
  const hint = meaning === undefined ? hintOfNeutral(condition) : hintOfCondition(condition, meaning);
  if (hint === undefined) return undefined;
  const since = stringAt(condition, "lastUpdateTime") ?? stringAt(condition, "lastTransitionTime");
  const weight = hint === "good" && meaning !== "good" ? "part" : weightOf(condition.type, meaning);
  return { hint, weight, because: conditionLine(condition), ...(since === undefined ? {} : { since }) };
}

function meaningOf(type: string): HealthHint | undefined {
  if (isWarning(type)) return undefined;
  return isAchievement(type) ? "good" : hintOfName(type);
}

/** A type of unknown polarity counts only when its reason names a failure. */
function hintOfNeutral(condition: StatusCondition): HealthHint | undefined {
  const denied = String(condition["status"]).toLowerCase() === "false" && !isWarning(condition.type);
  return denied && hintOfName(stringAt(condition, "reason", "")) === "bad" ? "bad" : undefined;
}

/** Failures and work on the object are never covered by a good summary elsewhere. */
function weightOf(type: string, meaning: HealthHint | undefined): SignalWeight {
  if (meaning === "good") return isBeginning(type) ? "step" : weightOfName(type);
  return meaning === "bad" || meaning === "idle" || (meaning === "busy" && isWorkOnObject(type)) ? "claim" : "part";
}

function hintOfCondition(condition: StatusCondition, meaning: HealthHint): HealthHint | undefined {
  const status = String(condition["status"]).toLowerCase();
  if (isDenial(condition.type)) return status === "true" ? hintOfLack(condition) : status === "false" ? "good" : "busy";
  if (meaning === "busy") return hintOfProgress(condition, status);
  if (meaning === "bad" && status === "true" && isAbsence(condition.type)) return "busy";
  if (meaning !== "good") return status === "true" ? meaning : status === "false" ? "good" : undefined;
  if (status === "true") return hintOfGain(condition);
  return status === "false" ? hintOfLack(condition) : hintOfDoubt(condition, status);
}

/** Whether the type is the negation of a good one: NotReady, PartiallyReady. */
function isDenial(type: string): boolean {
  return /^(not|partial|partially)$/.test(splitWords(type)[0] ?? "") && hintOfName(type) === "busy";
}

/** Progress continues, is complete, or has stopped for a reason that may be bad. */
function hintOfProgress(condition: StatusCondition, status: string): HealthHint | undefined {
  const reason = stringAt(condition, "reason", "");
  // Models apps/v1: Progressing stays True after a rollout, with a reason that says so.
  if (status === "true") return splitWords(reason).some((word) => doneReasons.has(word)) ? "good" : "busy";
  if (status === "false") return hintOfName(reason) === "bad" ? "bad" : "good";
  return hintOfText(stringAt(condition, "message", "")) === "busy" ? "busy" : undefined;
}

/** A good condition may contradict itself: Complete because of a failure, Running with "Creating the …". */
function hintOfGain(condition: StatusCondition): HealthHint {
  const [reason, message] = [stringAt(condition, "reason", ""), stringAt(condition, "message", "")];
  const hint = reason === condition.type ? undefined : hintOfName(reason);
  if (hint === "bad" && weightOfName(condition.type) === "summary") return "bad";
  return hint !== "good" && opensBusy(message) ? "busy" : "good";
}

/** Neither True nor False means pending. Some kinds use words of their own, which a reason of work softens. */
function hintOfDoubt(condition: StatusCondition, status: string): HealthHint {
  return hintOfName(stringAt(condition, "reason", "")) === "busy" ? "busy" : (hintOfName(status) ?? "busy");
}

/** A good condition is False: decides between pending and failed. */
function hintOfLack(condition: StatusCondition): HealthHint {
  const severity = stringAt(condition, "severity", "").toLowerCase();
  if (severity === "error") return "bad";
  if (severity !== "") return "busy";
  const [reason, message] = [stringAt(condition, "reason", ""), stringAt(condition, "message", "")];
  const hint = hintOfName(reason);
  if (hint === "idle" || (hint === "bad" && !isAbsence(reason))) return hint;
  if (opensBusy(message)) return "busy";
  if (isAbsence(reason) && isAbsence(message) && !impliesRefusal(condition.type)) return "busy";
  const messageHint = hintOfText(message);
  if (hint === "bad" || messageHint === "bad") return "bad";
  const refused = impliesRefusal(condition.type) || (isSync(condition.type) && message !== "");
  return refused && hint !== "busy" && messageHint !== "busy" ? "bad" : "busy";
}

/** Not synced without a message means pending. With a message it means a failed attempt. */
function isSync(type: string): boolean {
  return splitWords(type).at(-1) === "synced";
}

/** The text of a condition: its status and its reason. */
function conditionLine(condition: StatusCondition): string {
  const text = conditionText(condition, "");
  return text === "" ? factOf(condition) : `${factOf(condition)}: ${text}`;
}
