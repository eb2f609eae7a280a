import { isFields, numberAt, stringAt, type Fields } from "../core/object/index.ts";
import { conditionText, factOf } from "./condition-text.ts";
import type { Sign } from "./sign.ts";
import { isAbsence, isAchievement, isLabour, isRefusal, isWarning, opensBusy, toneOfName, toneOfText, type Tone } from "./tone.ts";
import { isBeginning, weightOfName, type Weight } from "./weight.ts";
import { wordsOf } from "./words.ts";

/** Reasons with which a condition of progress says that there is none left to make. */
const arrived = new Set("available complete completed succeeded done finished ready healthy running expected".split(" "));

/** A condition as statuses have it: only its type is sure. */
export type Said = Fields & { readonly type: string };

export function conditionsIn(fields: Fields): readonly Said[] {
  const { conditions } = fields;
  return Array.isArray(conditions) ? conditions.filter(isSaid) : [];
}

function isSaid(value: unknown): value is Said {
  return isFields(value) && typeof value["type"] === "string";
}

/** A condition that was written for an older spec. */
export function isStale(condition: Said, generation: number): boolean {
  return numberAt(condition, "observedGeneration", generation) < generation;
}

/** What a condition says, by the meaning of its type: whether True is good news, bad news or work under way. */
export function signOfCondition(condition: Said): Sign | undefined {
  const meaning = meaningOf(condition.type);
  const tone = meaning === undefined ? toneOfNeutral(condition) : toneOfCondition(condition, meaning);
  if (tone === undefined) return undefined;
  const since = stringAt(condition, "lastUpdateTime") ?? stringAt(condition, "lastTransitionTime");
  const weight = tone === "good" && meaning !== "good" ? "part" : weightOf(condition.type, meaning);
  return { tone, weight, because: conditionLine(condition), ...(since === undefined ? {} : { since }) };
}

function meaningOf(type: string): Tone | undefined {
  if (isWarning(type)) return undefined;
  return isAchievement(type) ? "good" : toneOfName(type);
}

/** Of a type that means nothing to us only a reason that speaks of failure does. */
function toneOfNeutral(condition: Said): Tone | undefined {
  const denied = String(condition["status"]).toLowerCase() === "false" && !isWarning(condition.type);
  return denied && toneOfName(stringAt(condition, "reason", "")) === "bad" ? "bad" : undefined;
}

/** Bad news and work on the object are never a detail that good news elsewhere has taken into account. */
function weightOf(type: string, meaning: Tone | undefined): Weight {
  if (meaning === "good") return isBeginning(type) ? "step" : weightOfName(type);
  return meaning === "bad" || meaning === "idle" || (meaning === "busy" && isLabour(type)) ? "claim" : "part";
}

function toneOfCondition(condition: Said, meaning: Tone): Tone | undefined {
  const status = String(condition["status"]).toLowerCase();
  if (isDenial(condition.type)) return status === "true" ? toneOfLack(condition) : status === "false" ? "good" : "busy";
  if (meaning === "busy") return toneOfProgress(condition, status);
  if (meaning === "bad" && status === "true" && isAbsence(condition.type)) return "busy";
  if (meaning !== "good") return status === "true" ? meaning : status === "false" ? "good" : undefined;
  if (status === "true") return toneOfGain(condition);
  return status === "false" ? toneOfLack(condition) : toneOfDoubt(condition, status);
}

/** NotReady is Ready the other way round, and PartiallyReady is no better. */
function isDenial(type: string): boolean {
  return /^(not|partial|partially)$/.test(wordsOf(type)[0] ?? "") && toneOfName(type) === "busy";
}

/** Progress goes on, has arrived, or has stopped for a reason that may be bad. */
function toneOfProgress(condition: Said, status: string): Tone | undefined {
  const reason = stringAt(condition, "reason", "");
  // Models apps/v1: Progressing stays True when a rollout is done, and says so in its reason.
  if (status === "true") return wordsOf(reason).some((word) => arrived.has(word)) ? "good" : "busy";
  if (status === "false") return toneOfName(reason) === "bad" ? "bad" : "good";
  return toneOfText(stringAt(condition, "message", "")) === "busy" ? "busy" : undefined;
}

/** Good news may take itself back: complete, because it failed; running, namely "Creating the …". */
function toneOfGain(condition: Said): Tone {
  const [reason, message] = [stringAt(condition, "reason", ""), stringAt(condition, "message", "")];
  const tone = reason === condition.type ? undefined : toneOfName(reason);
  if (tone === "bad" && weightOfName(condition.type) === "summary") return "bad";
  return tone !== "good" && opensBusy(message) ? "busy" : "good";
}

/** Neither True nor False: still to come. Some have a word of their own there, which a reason of work softens. */
function toneOfDoubt(condition: Said, status: string): Tone {
  return toneOfName(stringAt(condition, "reason", "")) === "busy" ? "busy" : (toneOfName(status) ?? "busy");
}

/** Something good is not so: is it yet to come, or has it gone wrong? */
function toneOfLack(condition: Said): Tone {
  const severity = stringAt(condition, "severity", "").toLowerCase();
  if (severity === "error") return "bad";
  if (severity !== "") return "busy";
  const [reason, message] = [stringAt(condition, "reason", ""), stringAt(condition, "message", "")];
  const tone = toneOfName(reason);
  if (tone === "idle" || (tone === "bad" && !isAbsence(reason))) return tone;
  if (opensBusy(message)) return "busy";
  if (isAbsence(reason) && isAbsence(message) && !isRefusal(condition.type)) return "busy";
  const said = toneOfText(message);
  if (tone === "bad" || said === "bad") return "bad";
  const refused = isRefusal(condition.type) || (isSync(condition.type) && message !== "");
  return refused && tone !== "busy" && said !== "busy" ? "bad" : "busy";
}

/** What is not in sync without a word is still to come; who says why not has tried. */
function isSync(type: string): boolean {
  return wordsOf(type).at(-1) === "synced";
}

/** What a condition says, and why. */
function conditionLine(condition: Said): string {
  const text = conditionText(condition, "");
  return text === "" ? factOf(condition) : `${factOf(condition)}: ${text}`;
}
