import { isFields, numberAt, stringAt, type Fields } from "../object/index.ts";
import type { Sign, Weight } from "./sign.ts";
import { isAbsence, isAchievement, isRefusal, toneOfName, toneOfText, type Tone } from "./tone.ts";
import { wordsOf } from "./words.ts";

const summaries = new Set("ready available healthy succeeded complete completed compliant running".split(" "));
const claims = new Set("synced reconciled accepted programmed established valid applied deployed installed active admitted".split(" "));

/** Reasons with which a condition of progress says that there is none left to make. */
const arrived = new Set("available complete completed succeeded done finished ready healthy expected".split(" "));

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
  const meaning = isAchievement(condition.type) ? "good" : toneOfName(condition.type);
  const tone = meaning === undefined ? undefined : toneOfCondition(condition, meaning);
  if (tone === undefined) return undefined;
  const since = stringAt(condition, "lastTransitionTime");
  // Bad news and work under way are never a detail that good news elsewhere has taken into account.
  const weight = meaning === "good" ? weightOfName(condition.type) : tone === "good" ? "part" : "claim";
  const wanting = meaning === "good" && tone === "bad" && isAbsence(wordsIn(condition));
  return { tone, weight, because: conditionText(condition), wanting, ...(since === undefined ? {} : { since }) };
}

/** How much good news of this name weighs. */
export function weightOfName(type: string): Weight {
  const words = wordsOf(type);
  const name = words.length === 1 ? words[0]! : "";
  return summaries.has(name) ? "summary" : claims.has(name) ? "claim" : "part";
}

function toneOfCondition(condition: Said, meaning: Tone): Tone | undefined {
  const status = String(condition["status"]).toLowerCase();
  if (meaning === "busy") return toneOfProgress(condition, status);
  if (meaning !== "good") return status === "true" ? meaning : status === "false" ? "good" : undefined;
  if (status === "true") return contradicted(condition) ? "busy" : "good";
  return status === "false" ? toneOfLack(condition) : "busy";
}

/** Progress goes on, has arrived, or has stopped for a reason that may be bad. */
function toneOfProgress(condition: Said, status: string): Tone | undefined {
  const reason = stringAt(condition, "reason", "");
  // Models apps/v1: Progressing stays True when a rollout is done, and says so in its reason.
  if (status === "true") return wordsOf(reason).some((word) => arrived.has(word)) ? "good" : "busy";
  return status !== "false" ? undefined : toneOfName(reason) === "bad" ? "bad" : "good";
}

/** Good news whose one-word message tells of work under way: an operator that is running, namely reconciling. */
function contradicted(condition: Said): boolean {
  const [reason, message] = [stringAt(condition, "reason", ""), stringAt(condition, "message", "")];
  const told = reason !== condition.type && toneOfName(reason) === "good";
  return !told && wordsOf(message).length === 1 && toneOfName(message) === "busy";
}

function wordsIn(condition: Said): string {
  return `${stringAt(condition, "reason", "")} ${stringAt(condition, "message", "")}`;
}

/** Something good is not so: is it yet to come, or has it gone wrong? */
function toneOfLack(condition: Said): Tone {
  const severity = stringAt(condition, "severity", "").toLowerCase();
  if (severity === "error") return "bad";
  if (severity !== "") return "busy";
  const reason = toneOfName(stringAt(condition, "reason", ""));
  if (reason === "bad" || reason === "idle") return reason;
  const message = toneOfText(stringAt(condition, "message", ""));
  if (message === "bad") return "bad";
  return isRefusal(condition.type) && reason !== "busy" && message !== "busy" ? "bad" : "busy";
}

/** What a condition gives as its reason, for people: the message, or else what there is. */
function conditionText(condition: Said): string {
  const reason = stringAt(condition, "reason", "").trim();
  const message = stringAt(condition, "message", "").trim();
  const fact = `${condition.type} is ${String(condition["status"] ?? "not set")}`;
  if (message !== "") return `${fact}: ${message}`;
  return reason === "" ? fact : `${fact}: ${reason}`;
}
