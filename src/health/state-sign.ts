import { isFields, type Fields } from "../object/index.ts";
import type { Sign } from "./sign.ts";
import { toneOfName, type Tone } from "./tone.ts";
import { wordsOf } from "./words.ts";

const stateNames = new Set("phase state status health compliant result".split(" "));
const errorNames = new Set("error errors failure".split(" "));
/** What was, or what somebody wants, says nothing of what is. */
const otherTimes = new Set("desired last previous target requested expected old initial history".split(" "));

/** What the words, flags and error texts directly in a status say. */
export function signsOfState(status: Fields, ends: boolean): readonly Sign[] {
  return Object.entries(status).flatMap(([name, value]) => {
    const words = wordsOf(name);
    if (words.some((word) => otherTimes.has(word))) return [];
    return signOf(name, words, value, status, ends) ?? [];
  });
}

function signOf(name: string, words: readonly string[], value: unknown, status: Fields, ends: boolean): Sign | undefined {
  if (typeof value === "string" && stateNames.has(words.at(-1)!)) return signOfWord(name, value, status, ends);
  if (typeof value === "boolean") return signOfFlag(name, value);
  return isError(words) ? signOfError(value) : undefined;
}

function signOfWord(name: string, value: string, status: Fields, ends: boolean): Sign | undefined {
  const tone = value === "" ? undefined : ends && /^(running|active|started)$/i.test(value) ? "busy" : toneOfName(value);
  if (tone === undefined) return undefined;
  return { tone, because: withDetail(`${name} is ${value}`, status), whole: true };
}

function signOfFlag(name: string, value: boolean): Sign | undefined {
  const tone = toneOfName(name);
  if (tone === undefined) return undefined;
  const whole = wordsOf(name).length === 1 || wordsOf(name)[0] === "ready";
  const said: Tone | undefined = value ? tone : tone === "good" ? "busy" : undefined;
  return said === undefined ? undefined : { tone: said, because: `${name} is ${value}`, whole };
}

function isError(words: readonly string[]): boolean {
  return errorNames.has(words.at(-1)!) || (errorNames.has(words[0]!) && ["message", "reason"].includes(words.at(-1)!));
}

function signOfError(value: unknown): Sign | undefined {
  const text = typeof value === "string" ? value : isFields(value) && typeof value["message"] === "string" ? value["message"] : "";
  return text.trim() === "" ? undefined : { tone: "bad", because: text, whole: true };
}

function withDetail(text: string, status: Fields): string {
  const detail = ["message", "reason"].map((name) => status[name]).find((value) => typeof value === "string" && value !== "");
  return detail === undefined ? text : `${text}: ${String(detail)}`;
}
