import { isFields, type Fields } from "../object/index.ts";
import { conditionText } from "./reason.ts";
import type { Sign } from "./sign.ts";
import { toneOfName, toneOfText, type Tone } from "./tone.ts";
import { wordsOf } from "./words.ts";

/** Types that sum an object up; whatever else its conditions say is a part of it. */
const wholes = new Set(
  "ready available healthy succeeded complete completed compliant running synced reconciled accepted programmed established valid applied deployed installed active".split(" "),
);

/** A condition as statuses have it; only its type is sure. */
export type Said = Fields & { readonly type: string };

export function isSaid(value: unknown): value is Said {
  return isFields(value) && typeof value["type"] === "string";
}

/** What a condition says, by the meaning of its type: whether True is good news, bad news or work under way. */
export function signOfCondition(condition: Said): Sign | undefined {
  const polarity = polarityOf(condition.type);
  if (polarity === undefined) return undefined;
  const tone = toneOf(condition, polarity);
  if (tone === undefined) return undefined;
  const since = condition["lastTransitionTime"];
  return { tone, because: conditionText(condition), whole: isWhole(condition.type), ...(typeof since === "string" ? { since } : {}) };
}

function isWhole(type: string): boolean {
  const words = wordsOf(type);
  return words.length === 1 && wholes.has(words[0]!);
}

/** A past participle names something achieved, unless the dictionary knows better. */
function polarityOf(type: string): Tone | undefined {
  return toneOfName(type) ?? (wordsOf(type).at(-1)?.endsWith("ed") ? "good" : undefined);
}

function toneOf(condition: Said, polarity: Tone): Tone | undefined {
  const status = String(condition["status"]).toLowerCase();
  if (polarity === "good") return status === "true" ? "good" : status === "false" ? toneOfMissing(condition) : "busy";
  if (status !== "true") return status === "false" && polarity === "busy" && reasonTone(condition) === "bad" ? "bad" : undefined;
  // A Deployment and its kin leave Progressing at True when they are done, and say so in the reason.
  if (polarity === "busy" && reasonTone(condition) === "good") return undefined;
  return polarity;
}

/** Something good is not so: is it yet to come, or has it gone wrong? */
function toneOfMissing(condition: Said): Tone {
  const severity = String(condition["severity"] ?? "").toLowerCase();
  if (severity === "error") return "bad";
  if (severity === "info" || severity === "warning") return "busy";
  const tone = reasonTone(condition);
  if (tone !== undefined && tone !== "good") return tone;
  return toneOfText(textOf(condition["message"])) === "bad" ? "bad" : "busy";
}

function reasonTone(condition: Said): Tone | undefined {
  return toneOfName(textOf(condition["reason"]));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
