import { wordsOf } from "./words.ts";

/** What a word in a status says of the object: something is wrong, under way, at rest by intention, or as it should be. */
export type Tone = "bad" | "busy" | "idle" | "good";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const bad = list(`
  abort aborted aborting blocked broken canceled cancelled cannot conflict conflicted conflicting conflicts corrupt corrupted crash crashed crashing crashes
  damaged deadlocked degraded denied dead err error errored errors evicted exceeded exception exhausted expired fail failed
  failing fails failure failures fatal faulted faulty forbidden illegal impossible inconsistent incompatible incorrect ineligible inoperative
  insufficient invalid killed lost malformed misconfigured mismatch mismatched missing noncompliant oom panic panicked problem red terminal problems
  refused rejected rejecting rejection revoked stalled stuck terminated timeout unable unauthorized undeployable unhealthy unrecoverable unreachable
  unresolvable unresolved unschedulable unsatisfiable unsupported violated violation violations violating warning wrong
`);

const busy = list(`
  await awaits new outdated pend progress queued retry requeued unavailable undetermined uninitialized unknown unready
  unreconciled unprogrammed unspecified unsynced yellow init inactive incomplete inconclusive inprogress partial partially stale unset unobserved unbound undefined wait waits
`);

/** Steps on the way: as a phase there is more to come, as a condition one is achieved. */
const steps = list("planned progressed requested scheduled started submitted triggered");

const idle = list(`
  disabled hibernated hibernating idle paused scaledown skipped stopped suspended suspending pausing halted
`);

const good = list(`
  accepted achieved active admitted alive allowed applied approved attached available bound compliant complete completed configured
  connected created current deployed done enabled established fine finished fulfilled functional green healthy initialized installed issued
  joined latest listening loaded met migrated normal observed ok okay online operational passed passing pass present programmed promoted provisioned
  published ready reachable reconciled registered released resolved resumed rolledout running satisfied serving settled stable standby
  streaming succeeded succeeding success successful successfully synced synchronized updated upgraded valid validated verified
`);

/** Words that belong together, and what they say. Tried before single words. */
const phrases: readonly (readonly [phrase: string, tone: Tone])[] = [
  ["not found", "bad"],
  ["not exist", "bad"],
  ["not allowed", "bad"],
  ["not permitted", "bad"],
  ["not supported", "bad"],
  ["not valid", "bad"],
  ["not authorized", "bad"],
  ["not compliant", "bad"],
  ["non compliant", "bad"],
  ["not healthy", "bad"],
  ["not accepted", "bad"],
  ["not admitted", "bad"],
  ["not resolved", "bad"],
  ["no valid", "bad"],
  ["already exists", "bad"],
  ["could not", "bad"],
  ["can not", "bad"],
  ["no such", "bad"],
  ["timed out", "bad"],
  ["time out", "bad"],
  ["back off", "bad"],
  ["not enough", "bad"],
  ["failing over", "busy"],
  ["in progress", "busy"],
  ["not yet", "busy"],
  ["out of sync", "busy"],
  ["out of date", "busy"],
  ["up to date", "good"],
  ["in sync", "good"],
  ["rolled out", "good"],
];

/** Verdicts on what somebody asked for: that they are not given is a refusal. */
const verdicts = list("accepted admitted allowed compliant healthy resolved synced valid");

/** Tells whether this not being so means that something was refused, rather than that it is still to come. */
export function isRefusal(name: string): boolean {
  return wordsOf(name).some((word) => verdicts.has(word));
}

const negations = list("not no non never without zero 0 un");

/** After these a name tells what for, not what is: `WaitingForReady`. */
const turns = list("for to until on of by with because due after before while as from at");

/** Participles that name a thing or a fact rather than work under way. */
const notWork = list("being existing nothing anything string ring according following including regarding during having");

/** What one word says, if anything. A present participle speaks of work under way. */
function toneOfWord(word: string): Tone | undefined {
  if (bad.has(word)) return "bad";
  if (idle.has(word)) return "idle";
  if (good.has(word)) return "good";
  if (busy.has(word) || steps.has(word) || (word.length > 5 && word.endsWith("ing") && !notWork.has(word))) return "busy";
  return undefined;
}

/** Words that say something only when they stand alone: Up is good, ScalingUp is not. */
const lone: ReadonlyMap<string, Tone> = new Map([
  ["up", "good"],
  ["down", "bad"],
]);

const opposite: Readonly<Record<Tone, Tone | undefined>> = { bad: "good", good: "busy", busy: undefined, idle: undefined };

/**
 * What a name says: a phase, a condition's type or reason. The last word that says anything decides, since English puts the
 * head of a compound last (`ScalingActive` is active), but what follows a preposition only tells what for.
 */
export function toneOfName(name: string): Tone | undefined {
  const alone = lone.get(name.toLowerCase());
  if (alone !== undefined) return alone;
  return tonesIn(headOf(wordsOf(name))).at(-1) ?? tonesIn(wordsOf(name)).at(0);
}

/** Work on the object itself. Others in -ing may be something that it does: archiving, monitoring. */
const labours = list(`
  applying building configuring creating deleting deploying finalizing importing initializing installing issuing migrating moving pending processing
  progressing promoting provisioning rebalancing reconciling recovering remediating resizing restarting restoring rolling scaling starting
  stopping switching syncing synchronizing terminating updating upgrading waiting
`);

/** Tells whether a name surely speaks of work on the object, rather than of something that the object does. */
export function isLabour(name: string): boolean {
  return wordsOf(name).some((word) => labours.has(word) || (busy.has(word) && !word.endsWith("ing")));
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
  const turn = words.findIndex((word, at) => at > 0 && turns.has(word) && !partOfPhrase(words, at));
  return turn < 0 ? words : words.slice(0, turn);
}

function partOfPhrase(words: readonly string[], at: number): boolean {
  const around = ` ${words.slice(Math.max(0, at - 1), at + 2).join(" ")} `;
  return phrases.some(([phrase]) => around.includes(` ${phrase} `));
}

/** What a sentence says at its worst. */
export function toneOfText(text: string): Tone | undefined {
  const tones = new Set(tonesIn(wordsOf(text)));
  return (["bad", "busy", "idle", "good"] as const).find((tone) => tones.has(tone));
}

function tonesIn(words: readonly string[]): readonly Tone[] {
  const tones: Tone[] = [];
  for (let at = 0; at < words.length; at++) {
    const phrase = phrases.find(([text]) => text.split(" ").every((word, after) => words[at + after] === word));
    if (phrase !== undefined) {
      tones.push(phrase[1]);
      at += phrase[0].split(" ").length - 1;
      continue;
    }
    const tone = toneOfWord(words[at]!);
    const said = tone !== undefined && negations.has(words[at - 1] ?? "") ? opposite[tone] : tone;
    if (said !== undefined) tones.push(said);
  }
  return tones;
}
