import { isLabourWord, list, lone, phraseAt, steps, toneOfWord, type Tone } from "./dictionary.ts";
import { wordsOf } from "./words.ts";

export type { Tone } from "./dictionary.ts";

/** Verdicts on what somebody asked for: that they are not given is a refusal. */
const verdicts = list("accepted admitted allowed compliant healthy resolved valid");

const negations = list("0 never no non not without zero");

/** What is only so in part is not so yet, and bad enough when it is bad. */
const halves = list("partial partially");

/** After these a name tells what for, not what is: `WaitingForReady`. */
const turns = list("after as at because before by due for from of on to until while with");

const opposite: Readonly<Record<Tone, Tone | undefined>> = { bad: "good", good: "busy", busy: undefined, idle: undefined };

/**
 * What a name says: a phase, a condition's type or reason. The last word that says anything decides, since English puts the
 * head of a compound last (`ScalingActive` is active), but what follows a preposition only tells what for.
 */
export function toneOfName(name: string): Tone | undefined {
  const words = wordsOf(name);
  return lone.get(words.join(" ")) ?? tonesIn(headOf(words)).at(-1) ?? tonesIn(words)[0];
}

/** What a sentence says at its worst. */
export function toneOfText(text: string): Tone | undefined {
  const tones = new Set(tonesIn(wordsOf(text)));
  return (["bad", "busy", "idle", "good"] as const).find((tone) => tones.has(tone));
}

/** Tells whether this not being so means that something was refused, rather than that it is still to come. */
export function isRefusal(name: string): boolean {
  return wordsOf(name).some((word) => verdicts.has(word));
}

/** A warning is worth reading, not worth stopping for. */
export function isWarning(name: string): boolean {
  return wordsOf(name).some((word) => word.startsWith("warning"));
}

/** Tells whether a name surely speaks of work on the object, rather than of something that the object does. */
export function isLabour(name: string): boolean {
  return wordsOf(name).some(isLabourWord);
}

/** Tells whether a name speaks of something that has been done: a past participle that is neither bad news nor a lack. */
export function isAchievement(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? "";
  return steps.has(last) || (last.endsWith("ed") && !last.startsWith("un") && toneOfName(name) === undefined);
}

/** Tells whether all that is wrong is that something does not exist, which may be about to change. */
export function isAbsence(text: string): boolean {
  const words = wordsOf(text).join(" ");
  return toneOfText(words) === "bad" && toneOfText(words.replaceAll(/\bnot (exists?|found)\b|\bmissing\b/g, "")) !== "bad";
}

const verbs = list("are has have is was were will");

/** Tells whether a sentence opens with work under way: "Waiting for …", "Issuing …", but not "Binding is done". */
export function opensBusy(text: string): boolean {
  const [first = "", second = ""] = wordsOf(text);
  return toneOfWord(first) === "busy" && !verbs.has(second);
}

function headOf(words: readonly string[]): readonly string[] {
  // The "of" of "out of sync" turns nothing.
  for (let at = 1; at < words.length; at++) {
    if (turns.has(words[at]!) && !isInsidePhrase(words, at)) return words.slice(0, at);
  }
  return words;
}

function isInsidePhrase(words: readonly string[], at: number): boolean {
  return [at - 1, at].some((start) => start + (phraseAt(words, start)?.words.length ?? 0) > at);
}

function tonesIn(words: readonly string[]): readonly Tone[] {
  const tones: Tone[] = [];
  for (let at = 0; at < words.length; at++) {
    const phrase = phraseAt(words, at);
    const tone = phrase?.tone ?? spokenTone(words, at);
    if (tone !== undefined) tones.push(tone);
    at += (phrase?.words.length ?? 1) - 1;
  }
  return tones;
}

function spokenTone(words: readonly string[], at: number): Tone | undefined {
  const tone = toneOfWord(words[at]!);
  if (tone === "good" && halves.has(words[at - 1] ?? "")) return "busy";
  return tone !== undefined && negations.has(words[at - 1] ?? "") ? opposite[tone] : tone;
}
