import { isLabourWord, list, lone, phrases, steps, toneOfWord, type Tone } from "./dictionary.ts";
import { wordsOf } from "./words.ts";

export type { Tone } from "./dictionary.ts";

/** Verdicts on what somebody asked for: that they are not given is a refusal. */
const verdicts = list("accepted admitted allowed compliant healthy resolved synced valid");

const negations = list("0 never no non not without zero");

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
  return toneOfText(words) === "bad" && toneOfText(words.replaceAll(/\bnot (exist|found)\b|\bmissing\b/g, "")) !== "bad";
}

/** Tells whether a sentence opens with work under way: "Waiting for …", "Issuing …". */
export function opensBusy(text: string): boolean {
  return toneOfWord(wordsOf(text)[0] ?? "") === "busy";
}

function headOf(words: readonly string[]): readonly string[] {
  const turn = words.findIndex((word, at) => at > 0 && turns.has(word) && !isInsidePhrase(words, at));
  return turn < 0 ? words : words.slice(0, turn);
}

/** The "of" of "out of sync" turns nothing. */
function isInsidePhrase(words: readonly string[], at: number): boolean {
  const [before, after] = [words[at - 1], words[at + 1]];
  return phrases.some(([phrase]) => {
    const place = phrase.indexOf(words[at]!);
    return place >= 0 && phrase.length > 1 && (phrase[place - 1] ?? before) === before && (phrase[place + 1] ?? after) === after;
  });
}

function tonesIn(words: readonly string[]): readonly Tone[] {
  const tones: Tone[] = [];
  for (let at = 0; at < words.length; at++) {
    const phrase = phrases.find(([parts]) => parts.every((word, after) => words[at + after] === word));
    const tone = phrase?.[1] ?? spokenTone(words, at);
    if (tone !== undefined) tones.push(tone);
    at += (phrase?.[0].length ?? 1) - 1;
  }
  return tones;
}

function spokenTone(words: readonly string[], at: number): Tone | undefined {
  const tone = toneOfWord(words[at]!);
  return tone !== undefined && negations.has(words[at - 1] ?? "") ? opposite[tone] : tone;
}
