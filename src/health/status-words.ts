/** What a word in a status suggests: failure, work in progress, intended suspension, or health. */
export type HealthHint = "bad" | "busy" | "idle" | "good";

export function wordList(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Failure. */
const bad = wordList(`
  abort aborted aborting backoff blocked broken canceled cancelled cannot cant conflict conflicted conflicting conflicts corrupt corrupted couldnt crash
  crashed crashes crashing damaged dead deadlocked degraded denied err error errored errors evicted exceeded exception exhausted
  expired fail failed failing fails failure failures fatal faulted faulty forbidden illegal impossible incompatible inconsistent
  incorrect ineligible inoperative insufficient interrupted invalid irreconcilable killed lost malformed misconfiguration misconfigured mismatch mismatched missing noncompliant
  oom orphan orphaned outage overloaded panic panicked problem problems refused rejected rejecting rejection revoked stalled stuck terminal terminated timeout
  unable unauthenticated unauthorized undeployable unhealthy unreachable unexpected unexpectedly unprocessable unrecognized unrecoverable unresolvable unresolved unsatisfiable unschedulable unsuccessful unsupported
  unusable violated violating violation violations warn warning wrong
`);

/** Work in progress or pending. The negation of a good word counts too: unready, unsynced, unfinished. */
const busy = wordList(`
  await awaits disconnected incomplete inconclusive init inprogress notready offline outdated pend progress queued requeued requires
  retry stale undefined undetermined unknown unset unspecified wait waits
`);

/** Intermediate steps: pending as a phase, achieved as a condition. */
export const steps = wordList("planned progressed requested scheduled started submitted triggered");

/** Intended suspension. */
const idle = wordList(`
  disabled halted hibernated hibernating idle inactive paused pausing scaledown skipped stopped suspended suspending
`);

/** Health. */
const good = wordList(`
  accepted achieved active admitted alive allowed applied approved attached available bound complete completed compliant configured
  connected created current deployed done enabled established exists fine finished fulfilled functional healthy initialized installed
  issued joined latest listening loaded met migrated normal observed ok okay online operational pass passed passing present programmed
  promoted provisioned published reachable ready reconciled registered released resolved resumed rolledout running satisfied serving
  settled stable standby streaming succeeded succeeding success successful successfully synced synchronized updated upgraded valid
  validated verified
`);

/** Participles that name a thing or a fact instead of work in progress. */
const notWork = wordList("according anything being during existing following having including nothing regarding ring string");

/** Words that count only on their own: Up is good, ScalingUp is not. */
export const standaloneWords: ReadonlyMap<string, HealthHint> = new Map([
  ["up", "good"],
  ["down", "bad"],
  ["green", "good"],
  ["new", "busy"],
  ["partial", "busy"],
  ["red", "bad"],
  ["yellow", "busy"],
]);

const phraseTexts: Readonly<Record<HealthHint, readonly string[]>> = {
  bad: [
    "already exists",
    "back off",
    "can not",
    "could not",
    "no such",
    "no valid",
    "non compliant",
    "not accepted",
    "not admitted",
    "not allowed",
    "not authorized",
    "not compliant",
    "not enough",
    "not exist",
    "not exists",
    "not found",
    "not healthy",
    "not permitted",
    "not resolved",
    "not supported",
    "not valid",
    "time out",
    "timed out",
  ],
  busy: ["failing over", "in progress", "not yet", "out of date", "out of sync"],
  idle: [],
  good: ["in sync", "rolled out", "up to date"],
};

/** Words that belong together. Phrases are matched before single words. */
type Phrase = { readonly words: readonly string[]; readonly hint: HealthHint };

const phrases: readonly Phrase[] = (Object.keys(phraseTexts) as HealthHint[]).flatMap((hint) =>
  phraseTexts[hint].map((text) => ({ words: text.split(" "), hint })),
);
const phrasesByStart = Map.groupBy(phrases, ({ words }) => words[0]);

/** The phrase that starts at this word, if any. */
export function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  return phrasesByStart.get(words[at])?.find((phrase) => phrase.words.every((word, after) => words[at + after] === word));
}

/** What one word suggests, if anything. A present participle suggests work in progress. */
export function hintOfWord(word: string): HealthHint | undefined {
  if (bad.has(word)) return "bad";
  if (idle.has(word)) return "idle";
  if (good.has(word)) return "good";
  const working = word.length > 5 && word.endsWith("ing") && !notWork.has(word);
  return working || isLack(word) || steps.has(word) ? "busy" : undefined;
}

function isLack(word: string): boolean {
  return busy.has(word) || (word.startsWith("un") && good.has(word.slice(2)));
}

/** Words for work on the object itself. Other words in -ing may name what the object does: archiving, monitoring. */
const workWords = wordList(`
  applying building configuring creating deleting deploying finalizing importing initializing installing issuing migrating moving
  pending processing progressing promoting provisioning rebalancing reconciling recovering remediating resizing restarting restoring
  rolling scaling starting stopping switching synchronizing syncing terminating updating upgrading waiting
`);

export function isWorkWord(word: string): boolean {
  return workWords.has(word) || isLack(word);
}
