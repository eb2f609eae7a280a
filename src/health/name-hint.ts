import { isWorkWord, wordList, standaloneWords, phraseAt, steps, hintOfWord, type HealthHint } from "./status-words.ts";
import { splitWords } from "./split-words.ts";

export type { HealthHint } from "./status-words.ts";

/** Names of approvals: when one is False, something was refused. */
const rulings = wordList("accepted admitted allowed compliant healthy resolved valid");

const negations = wordList("0 never no non not without zero");

/** A partly good state is pending. A partly bad one is bad. */
const partialWords = wordList("partial partially");

/** After these, a name states the purpose instead of the state: `WaitingForReady`. */
const prepositions = wordList("after as at because before by due for from of on to until while with");

const opposite: Readonly<Record<HealthHint, HealthHint | undefined>> = { bad: "good", good: "busy", busy: undefined, idle: undefined };

/**
 * What a name suggests: a phase, a condition's type or reason. The last meaningful word decides, because English puts
 * the head of a compound last (`ScalingActive` is active). Words after a preposition only state the purpose.
 */
export function hintOfName(name: string): HealthHint | undefined {
  const words = splitWords(name);
  return standaloneWords.get(words.join(" ")) ?? hintsIn(headOf(words)).at(-1) ?? hintsIn(words)[0];
}

/** The worst that a sentence suggests. */
export function hintOfText(text: string): HealthHint | undefined {
  const hints = new Set(hintsIn(splitWords(text)));
  return (["bad", "busy", "idle", "good"] as const).find((hint) => hints.has(hint));
}

/** Whether False means that something was refused, instead of pending. */
export function impliesRefusal(name: string): boolean {
  return splitWords(name).some((word) => rulings.has(word));
}

/** Warnings do not change health. */
export function isWarning(name: string): boolean {
  return splitWords(name).some((word) => word.startsWith("warning"));
}

/** Whether a name means work on the object, instead of something that the object does. */
export function isWorkOnObject(name: string): boolean {
  return splitWords(name).some(isWorkWord);
}

/** Whether a name means something achieved: a past participle that is neither bad nor negated. */
export function isAchievement(name: string): boolean {
  const last = splitWords(name).at(-1) ?? "";
  return steps.has(last) || (last.endsWith("ed") && !last.startsWith("un") && hintOfName(name) === undefined);
}

/** Whether a text only complains that something does not exist, which may change soon. */
export function isAbsence(text: string): boolean {
  const words = splitWords(text).join(" ");
  return hintOfText(words) === "bad" && hintOfText(words.replaceAll(/\bnot (exists?|found)\b|\bmissing\b/g, "")) !== "bad";
}

const verbs = wordList("are has have is was were will");

/** Whether a sentence starts with work in progress: "Waiting for …", "Issuing …", but not "Binding is done". */
export function opensBusy(text: string): boolean {
  const [first = "", second = ""] = splitWords(text);
  return hintOfWord(first) === "busy" && !verbs.has(second);
}

function headOf(words: readonly string[]): readonly string[] {
  // The "of" in "out of sync" is part of the phrase.
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
  if (hint === "good" && partialWords.has(words[at - 1] ?? "")) return "busy";
  return hint !== undefined && negations.has(words[at - 1] ?? "") ? opposite[hint] : hint;
}
