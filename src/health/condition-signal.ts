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

/** Reasons with which a condition of progress says that there is none left to make. */
const arrived = new Set("available complete completed succeeded done finished ready healthy running expected".split(" "));

/** A condition as statuses have it: only its type is sure. */
export type StatusCondition = Fields & { readonly type: string };

export function conditionsIn(fields: Fields): readonly StatusCondition[] {
  const { conditions } = fields;
  return Array.isArray(conditions) ? conditions.filter(isStatusCondition) : [];
}

function isStatusCondition(value: unknown): value is StatusCondition {
  return isFields(value) && typeof value["type"] === "string";
}

/** A condition that was written for an older spec. */
export function isStale(condition: StatusCondition, generation: number): boolean {
  return numberAt(condition, "observedGeneration", generation) < generation;
}

/** What a condition says, by the meaning of its type: whether True is good news, bad news or work under way. */
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

/** Of a type that means nothing to us only a reason that speaks of failure does. */
function hintOfNeutral(condition: StatusCondition): HealthHint | undefined {
  const denied = String(condition["status"]).toLowerCase() === "false" && !isWarning(condition.type);
  return denied && hintOfName(stringAt(condition, "reason", "")) === "bad" ? "bad" : undefined;
}

/** Bad news and work on the object are never a detail that good news elsewhere has taken into account. */
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

/** NotReady is Ready the other way round, and PartiallyReady is no better. */
function isDenial(type: string): boolean {
  return /^(not|partial|partially)$/.test(splitWords(type)[0] ?? "") && hintOfName(type) === "busy";
}

/** Progress goes on, has arrived, or has stopped for a reason that may be bad. */
function hintOfProgress(condition: StatusCondition, status: string): HealthHint | undefined {
  const reason = stringAt(condition, "reason", "");
  // Models apps/v1: Progressing stays True when a rollout is done, and says so in its reason.
  if (status === "true") return splitWords(reason).some((word) => arrived.has(word)) ? "good" : "busy";
  if (status === "false") return hintOfName(reason) === "bad" ? "bad" : "good";
  return hintOfText(stringAt(condition, "message", "")) === "busy" ? "busy" : undefined;
}

/** Good news may take itself back: complete, because it failed; running, namely "Creating the …". */
function hintOfGain(condition: StatusCondition): HealthHint {
  const [reason, message] = [stringAt(condition, "reason", ""), stringAt(condition, "message", "")];
  const hint = reason === condition.type ? undefined : hintOfName(reason);
  if (hint === "bad" && weightOfName(condition.type) === "summary") return "bad";
  return hint !== "good" && opensBusy(message) ? "busy" : "good";
}

/** Neither True nor False: still to come. Some have a word of their own there, which a reason of work softens. */
function hintOfDoubt(condition: StatusCondition, status: string): HealthHint {
  return hintOfName(stringAt(condition, "reason", "")) === "busy" ? "busy" : (hintOfName(status) ?? "busy");
}

/** Something good is not so: is it yet to come, or has it gone wrong? */
function hintOfLack(condition: StatusCondition): HealthHint {
  const severity = stringAt(condition, "severity", "").toLowerCase();
  if (severity === "error") return "bad";
  if (severity !== "") return "busy";
  const [reason, message] = [stringAt(condition, "reason", ""), stringAt(condition, "message", "")];
  const hint = hintOfName(reason);
  if (hint === "idle" || (hint === "bad" && !isAbsence(reason))) return hint;
  if (opensBusy(message)) return "busy";
  if (isAbsence(reason) && isAbsence(message) && !impliesRefusal(condition.type)) return "busy";
  const said = hintOfText(message);
  if (hint === "bad" || said === "bad") return "bad";
  const refused = impliesRefusal(condition.type) || (isSync(condition.type) && message !== "");
  return refused && hint !== "busy" && said !== "busy" ? "bad" : "busy";
}

/** What is not in sync without a word is still to come; who says why not has tried. */
function isSync(type: string): boolean {
  return splitWords(type).at(-1) === "synced";
}

/** What a condition says, and why. */
function conditionLine(condition: StatusCondition): string {
  const text = conditionText(condition, "");
  return text === "" ? factOf(condition) : `${factOf(condition)}: ${text}`;
}
