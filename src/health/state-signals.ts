import { isFields, type Fields } from "../core/object/index.ts";
import type { HealthSignal } from "./health-signal.ts";
import { isAbsence, isWorkOnObject, impliesRefusal, isWarning, hintOfName, hintOfText, type HealthHint } from "./name-hint.ts";
import { weightOfName, type SignalWeight } from "./signal-weight.ts";
import { splitWords } from "./split-words.ts";

const stateNames = new Set("phase stage state states status statuses health progress compliant compliance result".split(" "));
const errorNames = new Set("err error errors failure".split(" "));
const details = new Set("message msg reason description text".split(" "));

/** Fields about the past or the desired state say nothing about the present one. */
const otherTimeWords = new Set("desired last previous target requested expected old initial history timestamps".split(" "));
const currentNames = /^last(Observed|Known|Reported)/i;

/** The controller's last operation on the object. Its success says little, its failure decides. */
const lastOperation = /^last(Operation|Reconcile|Reconciliation|Apply|Sync)(Status|State|Phase|Result)$/i;

/** Phases that are final for long-running kinds and intermediate for kinds that run to completion. */
const runningPhases = new Set("running active started".split(" "));

/** Where in a status a word stands. */
export type StatusPosition = {
  /** Directly in the status, not in a nested part. */
  readonly top: boolean;
  /** The kind runs to completion. */
  readonly ends: boolean;
};

function weightAt(top: boolean, weight: SignalWeight): SignalWeight {
  return top ? weight : "part";
}

export function isOtherTime(name: string): boolean {
  return !currentNames.test(name) && splitWords(name).some((word) => otherTimeWords.has(word));
}

export function isStateName(name: string): boolean {
  return stateNames.has(splitWords(name).at(-1) ?? "");
}

/** Interprets the words, flags and error texts of these fields. */
export function stateSignals(fields: Fields, position: StatusPosition): readonly HealthSignal[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isOtherTime(name) && !lastOperation.test(name)) return [];
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

/** Whether a part has recovered: some keep the text of an old error. */
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
  const weight = hint === "good" ? weightAt(top, weightOfName(value)) : top ? "claim" : contradicts(hint, value) ? "objection" : "part";
  return { hint, weight, because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

function hintOfState(value: string, ends: boolean): HealthHint | undefined {
  if ((ends && runningPhases.has(value.toLowerCase())) || isAbsence(value)) return "busy";
  return hintOfName(value);
}

/** Whether a part contradicts a good summary: it has failed or is at work. */
function contradicts(hint: HealthHint, value: string): boolean {
  return hint === "bad" || (hint === "busy" && isWorkOnObject(value));
}

/** Interprets a state that is an enumeration on the wire: zero is unset, and a state with an explanation is seldom good. */
function signalOfNumber(name: string, value: number, { top }: StatusPosition, detail: string): HealthSignal {
  const hint = value === 0 ? "busy" : detail === "" ? "good" : hintOfText(detail) === "bad" ? "bad" : "busy";
  return { hint, weight: weightAt(top, "claim"), because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

function detailIn(fields: Fields): string {
  const texts = [...details].map((name) => fields[name]).filter((value) => typeof value === "string");
  return texts.find((text) => text.trim() !== "") ?? "";
}

/** Interprets a flag that summarises or reports a failure. Other flags say little about health. */
function signalOfFlag(name: string, value: boolean, { top }: StatusPosition): HealthSignal | undefined {
  const hint = hintOfName(name);
  const because = `${name} is ${value}`;
  if (isWarning(name)) return undefined;
  if (hint === "bad" || hint === "busy") return value ? { hint, weight: weightAt(top, "claim"), because } : undefined;
  const weight = /^(ready|pass|passed|success)$/.test(splitWords(name)[0] ?? "") ? "summary" : weightOfName(name);
  if (hint !== "good" || weight === "part") return undefined;
  return { hint: value ? "good" : impliesRefusal(name) ? "bad" : "busy", weight: weightAt(top, weight), because };
}

function isErrorName(name: string): boolean {
  const words = splitWords(name);
  return errorNames.has(words.at(-1) ?? "") || (errorNames.has(words.at(-2) ?? "") && details.has(words.at(-1) ?? ""));
}

function signalOfError(value: unknown, { top }: StatusPosition): HealthSignal | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = typeof first === "string" ? first : isFields(first) ? detailIn(first) : "";
  return text.trim() === "" ? undefined : { hint: "bad", weight: weightAt(top, "claim"), because: text.trim() };
}

/** A state that is one word of work: `Stopping`. */
export function movement(status: Fields): string | undefined {
  const states = Object.entries(status).filter(([name, value]) => isStateName(name) && !isOtherTime(name) && typeof value === "string");
  const found = states.find(
    ([, value]) => /^[a-z]+ing$/i.test(String(value)) && ["busy", "idle"].includes(hintOfName(String(value)) ?? ""),
  );
  return found === undefined ? undefined : `${found[0]} is ${String(found[1])}`;
}

/** A bad word in an unexpected field (`robustness: degraded`) means progressing: it is neither a failure nor health. */
function signalOfStrayWord(name: string, value: unknown): HealthSignal | undefined {
  const alone = typeof value === "string" && /^[a-z]+$/i.test(value) && hintOfName(value) === "bad";
  return alone ? { hint: "busy", weight: "claim", because: `${name} is ${value}` } : undefined;
}

/** Failures by name: `failedTasks`. A plain number may count retries. */
function signalOfFailures(name: string, value: unknown): HealthSignal | undefined {
  const failures = Array.isArray(value) ? value.length : isFields(value) ? Object.keys(value).length : 0;
  return failures === 0 ? undefined : { hint: "bad", weight: "part", because: `${name}: ${failures}` };
}

/** A phase or state with an unknown word: neither ready nor failed. */
export function unknownState(status: Fields): string | undefined {
  const name = ["phase", "state", "stage", "health", "status"].find((each) => typeof status[each] === "string" && status[each] !== "");
  const word = name === undefined ? "" : String(status[name]);
  const known = word === "" || hintOfName(word) !== undefined || flagIn(word) !== undefined;
  return known ? undefined : `${name} is ${word}, which is not known to be good or bad`;
}
