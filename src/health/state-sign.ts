import { isFields, type Fields } from "../core/object/index.ts";
import type { Sign } from "./sign.ts";
import { isAbsence, isLabour, isRefusal, isWarning, toneOfName, toneOfText, type Tone } from "./tone.ts";
import { weightOfName, type Weight } from "./weight.ts";
import { wordsOf } from "./words.ts";

const stateNames = new Set("phase stage state states status statuses health progress compliant compliance result".split(" "));
const errorNames = new Set("err error errors failure".split(" "));
const details = new Set("message msg reason description text".split(" "));

/** What was, or what somebody wants, says nothing of what is. */
const elsewhen = new Set("desired last previous target requested expected old initial history timestamps".split(" "));
const lately = /^last(Observed|Known|Reported)/i;

/** The last thing that the controller did to the object. That it went well says little, that it did not says enough. */
const lastDeed = /^last(Operation|Reconcile|Reconciliation|Apply|Sync)(Status|State|Phase|Result)$/i;

/** Phases that are an end for what goes on for ever, and the middle for what comes to an end. */
const goingOn = new Set("running active started".split(" "));

/** Where the words of a status stand. */
export type Place = {
  /** Directly in the status, not in one of its parts. */
  readonly top: boolean;
  /** The kind is named after something that comes to an end. */
  readonly ends: boolean;
};

function weigh(top: boolean, weight: Weight): Weight {
  return top ? weight : "part";
}

export function isElsewhen(name: string): boolean {
  return !lately.test(name) && wordsOf(name).some((word) => elsewhen.has(word));
}

export function isStateName(name: string): boolean {
  return stateNames.has(wordsOf(name).at(-1) ?? "");
}

/** What the words, flags and error texts among these fields say. */
export function signsOfState(fields: Fields, place: Place): readonly Sign[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isElsewhen(name) && !lastDeed.test(name)) return [];
    const sign = signOfField(name, value, fields, place);
    return sign === undefined || (sign.tone === "good" && lastDeed.test(name)) ? [] : [sign];
  });
}

function signOfField(name: string, value: unknown, fields: Fields, place: Place): Sign | undefined {
  const flag = typeof value === "boolean" ? value : flagIn(value);
  if (flag !== undefined) return signOfFlag(name, flag, place);
  if (isErrorName(name)) return !place.top && isWellNow(fields) ? undefined : signOfError(value, place);
  if (wordsOf(name)[0] === "failed") return signOfFailures(name, value);
  if (!isStateName(name)) return place.top ? signOfHint(name, value) : undefined;
  if (typeof value === "number") return signOfNumber(name, value, place, detailIn(fields));
  if (typeof value !== "string") return undefined;
  return signOfWord(name, value, place, detailIn(fields));
}

/** Some parts keep the text of an error that they have got over. */
function isWellNow(fields: Fields): boolean {
  return Object.entries(fields).some(([name, value]) => isStateName(name) && typeof value === "string" && toneOfName(value) === "good");
}

function flagIn(value: unknown): boolean | undefined {
  if (typeof value !== "string" || !/^(true|false)$/i.test(value)) return undefined;
  return value.toLowerCase() === "true";
}

export function signOfWord(name: string, value: string, { top, ends }: Place, detail = ""): Sign | undefined {
  const tone = toneOfState(value, ends);
  if (tone === undefined || (!top && value.toLowerCase() === "unknown")) return undefined;
  const weight = tone === "good" ? weigh(top, weightOfName(value)) : top ? "claim" : objects(tone, value) ? "objection" : "part";
  return { tone, weight, because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

function toneOfState(value: string, ends: boolean): Tone | undefined {
  if ((ends && goingOn.has(value.toLowerCase())) || isAbsence(value)) return "busy";
  return toneOfName(value);
}

/** A part that has failed or is at work has not been taken into account by whoever says that the whole is ready. */
function objects(tone: Tone, value: string): boolean {
  return tone === "bad" || (tone === "busy" && isLabour(value));
}

/** A state that is an enumeration on the wire: zero is its unset value, and one that explains itself is seldom good news. */
function signOfNumber(name: string, value: number, { top }: Place, detail: string): Sign {
  const tone = value === 0 ? "busy" : detail === "" ? "good" : toneOfText(detail) === "bad" ? "bad" : "busy";
  return { tone, weight: weigh(top, "claim"), because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

function detailIn(fields: Fields): string {
  const texts = [...details].map((name) => fields[name]).filter((value) => typeof value === "string");
  return texts.find((text) => text.trim() !== "") ?? "";
}

/** A flag that sums up, or that tells of failure. What else is switched on or off is seldom a sign of health. */
function signOfFlag(name: string, value: boolean, { top }: Place): Sign | undefined {
  const tone = toneOfName(name);
  const because = `${name} is ${value}`;
  if (isWarning(name)) return undefined;
  if (tone === "bad" || tone === "busy") return value ? { tone, weight: weigh(top, "claim"), because } : undefined;
  const weight = /^(ready|pass|passed|success)$/.test(wordsOf(name)[0] ?? "") ? "summary" : weightOfName(name);
  if (tone !== "good" || weight === "part") return undefined;
  return { tone: value ? "good" : isRefusal(name) ? "bad" : "busy", weight: weigh(top, weight), because };
}

function isErrorName(name: string): boolean {
  const words = wordsOf(name);
  return errorNames.has(words.at(-1) ?? "") || (errorNames.has(words.at(-2) ?? "") && details.has(words.at(-1) ?? ""));
}

function signOfError(value: unknown, { top }: Place): Sign | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = typeof first === "string" ? first : isFields(first) ? detailIn(first) : "";
  return text.trim() === "" ? undefined : { tone: "bad", weight: weigh(top, "claim"), because: text.trim() };
}

/** A state in a single word of work: `Stopping`. */
export function movement(status: Fields): string | undefined {
  const states = Object.entries(status).filter(([name, value]) => isStateName(name) && !isElsewhen(name) && typeof value === "string");
  const found = states.find(
    ([, value]) => /^[a-z]+ing$/i.test(String(value)) && ["busy", "idle"].includes(toneOfName(String(value)) ?? ""),
  );
  return found === undefined ? undefined : `${found[0]} is ${String(found[1])}`;
}

/** A bad word where none is expected (`robustness: degraded`) is no ground to give up, but none to go on either. */
function signOfHint(name: string, value: unknown): Sign | undefined {
  const alone = typeof value === "string" && /^[a-z]+$/i.test(value) && toneOfName(value) === "bad";
  return alone ? { tone: "busy", weight: "claim", because: `${name} is ${value}` } : undefined;
}

/** What has failed, by name: `failedTasks`. A mere number may count what was tried again. */
function signOfFailures(name: string, value: unknown): Sign | undefined {
  const failures = Array.isArray(value) ? value.length : isFields(value) ? Object.keys(value).length : 0;
  return failures === 0 ? undefined : { tone: "bad", weight: "part", because: `${name}: ${failures}` };
}

/** A phase or state in a word that means nothing to us: neither a reason to go on nor one to give up. */
export function unknownState(status: Fields): string | undefined {
  const name = ["phase", "state", "stage", "health", "status"].find((each) => typeof status[each] === "string" && status[each] !== "");
  const word = name === undefined ? "" : String(status[name]);
  const known = word === "" || toneOfName(word) !== undefined || flagIn(word) !== undefined;
  return known ? undefined : `${name} is ${word}, which is not known to be good or bad`;
}
