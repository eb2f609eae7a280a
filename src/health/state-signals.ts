import { isFields, type Fields } from "../core/object/index.ts";
import type { HealthSignal } from "./health-signal.ts";
import { isAbsence, isWorkOnObject, impliesRefusal, isWarning, hintOfName, hintOfText, type HealthHint } from "./name-hint.ts";
import { weightOfName, type SignalWeight } from "./signal-weight.ts";
import { splitWords } from "./split-words.ts";

const stateNames = new Set("phase stage state states status statuses health progress compliant compliance result".split(" "));
const errorNames = new Set("err error errors failure".split(" "));
const details = new Set("message msg reason description text".split(" "));

/** What was, or what somebody wants, says nothing of what is. */
const elsewhen = new Set("desired last previous target requested expected old initial history timestamps".split(" "));
const lately = /^last(Observed|Known|Reported)/i;

/** The last thing that the controller did to the object. That it went well says little, that it did not says enough. */
const lastOperation = /^last(Operation|Reconcile|Reconciliation|Apply|Sync)(Status|State|Phase|Result)$/i;

/** Phases that are an end for what goes on for ever, and the middle for what comes to an end. */
const goingOn = new Set("running active started".split(" "));

/** Where the words of a status stand. */
export type StatusPosition = {
  /** Directly in the status, not in one of its parts. */
  readonly top: boolean;
  /** The kind is named after something that comes to an end. */
  readonly ends: boolean;
};

function weigh(top: boolean, weight: SignalWeight): SignalWeight {
  return top ? weight : "part";
}

export function isElsewhen(name: string): boolean {
  return !lately.test(name) && splitWords(name).some((word) => elsewhen.has(word));
}

export function isStateName(name: string): boolean {
  return stateNames.has(splitWords(name).at(-1) ?? "");
}

/** What the words, flags and error texts among these fields say. */
export function stateSignals(fields: Fields, position: StatusPosition): readonly HealthSignal[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isElsewhen(name) && !lastOperation.test(name)) return [];
    const signal = signalOfField(name, value, fields, position);
    return signal === undefined || (signal.hint === "good" && lastOperation.test(name)) ? [] : [signal];
  });
}

function signalOfField(name: string, value: unknown, fields: Fields, position: StatusPosition): HealthSignal | undefined {
  const flag = typeof value === "boolean" ? value : flagIn(value);
  if (flag !== undefined) return signalOfFlag(name, flag, position);
  if (isErrorName(name)) return !position.top && isWellNow(fields) ? undefined : signalOfError(value, position);
  if (splitWords(name)[0] === "failed") return signalOfFailures(name, value);
  if (!isStateName(name)) return position.top ? signalOfStrayWord(name, value) : undefined;
  if (typeof value === "number") return signalOfNumber(name, value, position, detailIn(fields));
  if (typeof value !== "string") return undefined;
  return signalOfWord(name, value, position, detailIn(fields));
}

/** Some parts keep the text of an error that they have got over. */
function isWellNow(fields: Fields): boolean {
  return Object.entries(fields).some(([name, value]) => isStateName(name) && typeof value === "string" && hintOfName(value) === "good");
}

function flagIn(value: unknown): boolean | undefined {
  if (typeof value !== "string" || !/^(true|false)$/i.test(value)) return undefined;
  return value.toLowerCase() === "true";
}

export function signalOfWord(name: string, value: string, { top, ends }: StatusPosition, detail = ""): HealthSignal | undefined {
  const hint = hintOfState(value, ends);
  if (hint === undefined || (!top && value.toLowerCase() === "unknown")) return undefined;
  const weight = hint === "good" ? weigh(top, weightOfName(value)) : top ? "claim" : objects(hint, value) ? "objection" : "part";
  return { hint, weight, because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

function hintOfState(value: string, ends: boolean): HealthHint | undefined {
  if ((ends && goingOn.has(value.toLowerCase())) || isAbsence(value)) return "busy";
  return hintOfName(value);
}

/** A part that has failed or is at work has not been taken into account by whoever says that the whole is ready. */
function objects(hint: HealthHint, value: string): boolean {
  return hint === "bad" || (hint === "busy" && isWorkOnObject(value));
}

/** A state that is an enumeration on the wire: zero is its unset value, and one that explains itself is seldom good news. */
function signalOfNumber(name: string, value: number, { top }: StatusPosition, detail: string): HealthSignal {
  const hint = value === 0 ? "busy" : detail === "" ? "good" : hintOfText(detail) === "bad" ? "bad" : "busy";
  return { hint, weight: weigh(top, "claim"), because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

function detailIn(fields: Fields): string {
  const texts = [...details].map((name) => fields[name]).filter((value) => typeof value === "string");
  return texts.find((text) => text.trim() !== "") ?? "";
}

/** A flag that sums up, or that tells of failure. What else is switched on or off is seldom a sign of health. */
function signalOfFlag(name: string, value: boolean, { top }: StatusPosition): HealthSignal | undefined {
  const hint = hintOfName(name);
  const because = `${name} is ${value}`;
  if (isWarning(name)) return undefined;
  if (hint === "bad" || hint === "busy") return value ? { hint, weight: weigh(top, "claim"), because } : undefined;
  const weight = /^(ready|pass|passed|success)$/.test(splitWords(name)[0] ?? "") ? "summary" : weightOfName(name);
  if (hint !== "good" || weight === "part") return undefined;
  return { hint: value ? "good" : impliesRefusal(name) ? "bad" : "busy", weight: weigh(top, weight), because };
}

function isErrorName(name: string): boolean {
  const words = splitWords(name);
  return errorNames.has(words.at(-1) ?? "") || (errorNames.has(words.at(-2) ?? "") && details.has(words.at(-1) ?? ""));
}

function signalOfError(value: unknown, { top }: StatusPosition): HealthSignal | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = typeof first === "string" ? first : isFields(first) ? detailIn(first) : "";
  return text.trim() === "" ? undefined : { hint: "bad", weight: weigh(top, "claim"), because: text.trim() };
}

/** A state in a single word of work: `Stopping`. */
export function movement(status: Fields): string | undefined {
  const states = Object.entries(status).filter(([name, value]) => isStateName(name) && !isElsewhen(name) && typeof value === "string");
  const found = states.find(
    ([, value]) => /^[a-z]+ing$/i.test(String(value)) && ["busy", "idle"].includes(hintOfName(String(value)) ?? ""),
  );
  return found === undefined ? undefined : `${found[0]} is ${String(found[1])}`;
}

/** A bad word where none is expected (`robustness: degraded`) is no ground to give up, but none to go on either. */
function signalOfStrayWord(name: string, value: unknown): HealthSignal | undefined {
  const alone = typeof value === "string" && /^[a-z]+$/i.test(value) && hintOfName(value) === "bad";
  return alone ? { hint: "busy", weight: "claim", because: `${name} is ${value}` } : undefined;
}

/** What has failed, by name: `failedTasks`. A mere number may count what was tried again. */
function signalOfFailures(name: string, value: unknown): HealthSignal | undefined {
  const failures = Array.isArray(value) ? value.length : isFields(value) ? Object.keys(value).length : 0;
  return failures === 0 ? undefined : { hint: "bad", weight: "part", because: `${name}: ${failures}` };
}

/** A phase or state in a word that means nothing to us: neither a reason to go on nor one to give up. */
export function unknownState(status: Fields): string | undefined {
  const name = ["phase", "state", "stage", "health", "status"].find((each) => typeof status[each] === "string" && status[each] !== "");
  const word = name === undefined ? "" : String(status[name]);
  const known = word === "" || hintOfName(word) !== undefined || flagIn(word) !== undefined;
  return known ? undefined : `${name} is ${word}, which is not known to be good or bad`;
}
