import { isFields, type Fields } from "../object/index.ts";
import type { Sign, Weight } from "./sign.ts";
import { toneOfName, toneOfText, type Tone } from "./tone.ts";
import { weightOfName } from "./condition-sign.ts";
import { wordsOf } from "./words.ts";

const stateNames = new Set("phase state states status statuses health compliant compliance result".split(" "));
const errorNames = new Set("error errors failure".split(" "));
const details = new Set("message reason description text".split(" "));

/** What was, or what somebody wants, says nothing of what is. */
const elsewhen = new Set("desired last previous target requested expected old initial history".split(" "));

/** Phases that are an end for what goes on for ever, and the middle for what comes to an end. */
const goingOn = new Set("running active started".split(" "));

/** Where the words of a status stand. */
export type Place = {
  readonly weight: Weight;
  /** The kind is named after something that comes to an end. */
  readonly ends: boolean;
};

export function isElsewhen(name: string): boolean {
  return wordsOf(name).some((word) => elsewhen.has(word));
}

export function isStateName(name: string): boolean {
  return stateNames.has(wordsOf(name).at(-1) ?? "");
}

/** What the words, flags and error texts among these fields say. */
export function signsOfState(fields: Fields, place: Place): readonly Sign[] {
  return Object.entries(fields).flatMap(([name, value]) => (isElsewhen(name) ? [] : (signOfField(name, value, fields, place) ?? [])));
}

function signOfField(name: string, value: unknown, fields: Fields, place: Place): Sign | undefined {
  const flag = typeof value === "boolean" ? value : flagIn(value);
  if (flag !== undefined) return signOfFlag(name, flag, place);
  if (isErrorName(name)) return signOfError(value, place);
  if (!isStateName(name)) return undefined;
  if (typeof value === "number") return signOfNumber(name, value, place, detailIn(fields));
  if (typeof value !== "string") return undefined;
  return signOfWord(name, value, place, detailIn(fields));
}

function flagIn(value: unknown): boolean | undefined {
  if (typeof value !== "string" || !/^(true|false)$/i.test(value)) return undefined;
  return value.toLowerCase() === "true";
}

export function signOfWord(name: string, value: string, { weight, ends }: Place, detail = ""): Sign | undefined {
  const tone = ends && goingOn.has(value.toLowerCase()) ? "busy" : toneOfName(value);
  if (tone === undefined || (weight === "part" && value.toLowerCase() === "unknown")) return undefined;
  const heft = weight === "part" ? "part" : tone === "good" ? weightOfName(value) : "claim";
  return { tone, weight: heft, because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

/** A state that is an enumeration on the wire: zero is its unset value, and one that explains itself is seldom good news. */
function signOfNumber(name: string, value: number, { weight }: Place, detail: string): Sign {
  const tone = value === 0 ? "busy" : detail === "" ? "good" : toneOfText(detail) === "bad" ? "bad" : "busy";
  return { tone, weight, because: `${name} is ${value}${detail === "" ? "" : `: ${detail}`}` };
}

function detailIn(fields: Fields): string {
  return [...details].map((name) => fields[name]).find((value) => typeof value === "string" && value.trim() !== "") as string | undefined ?? "";
}

function signOfFlag(name: string, value: boolean, { weight }: Place): Sign | undefined {
  const words = wordsOf(name);
  const tone = toneOfName(name);
  if (tone === undefined) return undefined;
  const whole = words.length === 1 || words[0] === "ready";
  const said: Tone | undefined = value ? tone : tone === "good" ? "busy" : undefined;
  return said === undefined ? undefined : { tone: said, weight: whole ? weight : "part", because: `${name} is ${value}` };
}

function isErrorName(name: string): boolean {
  const words = wordsOf(name);
  return errorNames.has(words.at(-1) ?? "") || (errorNames.has(words.at(-2) ?? "") && details.has(words.at(-1) ?? ""));
}

function signOfError(value: unknown, { weight }: Place): Sign | undefined {
  const text = typeof value === "string" ? value : isFields(value) ? detailIn(value) : "";
  return text.trim() === "" ? undefined : { tone: "bad", weight, because: text.trim() };
}
