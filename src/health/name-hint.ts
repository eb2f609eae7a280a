import { isWorkWord, wordList, lone, phraseAt, steps, hintOfWord, type HealthHint } from "./status-words.ts";
import { splitWords } from "./split-words.ts";

export type { HealthHint } from "./status-words.ts";

/** Verdicts on what somebody asked for: that they are not given is a refusal. */
const rulings = wordList("accepted admitted allowed compliant healthy resolved valid");

const negations = wordList("0 never no non not without zero");

/** What is only so in part is not so yet, and bad enough when it is bad. */
const halves = wordList("partial partially");

/** After these a name tells what for, not what is: `WaitingForReady`. */
const prepositions = wordList("after as at because before by due for from of on to until while with");

const opposite: Readonly<Record<HealthHint, HealthHint | undefined>> = { bad: "good", good: "busy", busy: undefined, idle: undefined };

/**
 * What a name says: a phase, a condition's type or reason. The last word that says anything decides, since English puts the
 * head of a compound last (`ScalingActive` is active), but what follows a preposition only tells what for.
 */
export function hintOfName(name: string): HealthHint | undefined {
  const words = splitWords(name);
  return lone.get(words.join(" ")) ?? hintsIn(headOf(words)).at(-1) ?? hintsIn(words)[0];
}

/** What a sentence says at its worst. */
export function hintOfText(text: string): HealthHint | undefined {
  const hints = new Set(hintsIn(splitWords(text)));
  return (["bad", "busy", "idle", "good"] as const).find((hint) => hints.has(hint));
}

/** Tells whether this not being so means that something was refused, rather than that it is still to come. */
export function impliesRefusal(name: string): boolean {
  return splitWords(name).some((word) => rulings.has(word));
}

/** A warning is worth reading, not worth stopping for. */
export function isWarning(name: string): boolean {
  return splitWords(name).some((word) => word.startsWith("warning"));
}

/** Tells whether a name surely speaks of work on the object, rather than of something that the object does. */
export function isWorkOnObject(name: string): boolean {
  return splitWords(name).some(isWorkWord);
}

/** Tells whether a name speaks of something that has been done: a past participle that is neither bad news nor a lack. */
export function isAchievement(name: string): boolean {
  const last = splitWords(name).at(-1) ?? "";
  return steps.has(last) || (last.endsWith("ed") && !last.startsWith("un") && hintOfName(name) === undefined);
}

/** Tells whether all that is wrong is that something does not exist, which may be about to change. */
export function isAbsence(text: string): boolean {
  const words = splitWords(text).join(" ");
  return hintOfText(words) === "bad" && hintOfText(words.replaceAll(/\bnot (exists?|found)\b|\bmissing\b/g, "")) !== "bad";
}

const verbs = wordList("are has have is was were will");

/** Tells whether a sentence opens with work under way: "Waiting for …", "Issuing …", but not "Binding is done". */
export function opensBusy(text: string): boolean {
  const [first = "", second = ""] = splitWords(text);
  return hintOfWord(first) === "busy" && !verbs.has(second);
}

function headOf(words: readonly string[]): readonly string[] {
  // The "of" of "out of sync" turns nothing.
  for (let at = 1; at < words.length; at++) {
    if (prepositions.has(words[at]!) && !isInsidePhrase(words, at)) return words.slice(0, at);
  }
  return words;
}

function isInsidePhrase(words: readonly string[], at: number): boolean {
  return [at - 1, at].some((start) => start + (phraseAt(words, start)?.words.length ?? 0) > at);
}

function hintsIn(words: readonly string[]): readonly HealthHint[] {
  const hints: HealthHint[] = [];
  for (let at = 0; at < words.length; at++) {
    const phrase = phraseAt(words, at);
    const hint = phrase?.hint ?? negatedHint(words, at);
    if (hint !== undefined) hints.push(hint);
    at += (phrase?.words.length ?? 1) - 1;
  }
  return hints;
}

function negatedHint(words: readonly string[], at: number): HealthHint | undefined {
  const hint = hintOfWord(words[at]!);
  if (hint === "good" && halves.has(words[at - 1] ?? "")) return "busy";
  return hint !== undefined && negations.has(words[at - 1] ?? "") ? opposite[hint] : hint;
}
