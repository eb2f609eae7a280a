import { equal, stringAt, titleOf } from "../../src/object/index.ts";
import { historyOf, latestOf, type Hook, type Revision } from "../../src/release/record/index.ts";
import { embedded, type Ground } from "./ground.ts";
import type { Death } from "./mortal.ts";
import type { Operating } from "./operation.ts";
import type { Photograph } from "./photograph.ts";
import type { Act, Scenario } from "./scenario.ts";
import { Theatre, type Played } from "./theatre.ts";

/** What playing an act came to: how it ended, in words, and what there was then. */
type Outcome = { readonly end: string; readonly photograph: Photograph; readonly latest: Revision | undefined };

/** An act that ends well, what it comes to when nobody is killed, and where it can be killed. */
export type Course = { readonly at: number; readonly act: Operating; readonly steps: number; readonly writes: number };

type Undisturbed = Course & { readonly once: Outcome };

/**
 * Kills the acts of one scenario that end well, each time in a cluster of its own, and plays them again.
 *
 * The same command again must come to what it comes to when nobody is killed. Where the records already said that all
 * was over when the process died, it is a second command: a deletion finds nothing to delete, a rollback that names no
 * revision goes one further back, and what runs with every deploy runs again. Then it must come to what two commands
 * come to of which nobody was killed.
 */
export class Killings {
  readonly #scenario: Scenario;
  readonly #courses: readonly Undisturbed[];
  readonly #twice = new Map<Course, Promise<Outcome>>();

  private constructor(scenario: Scenario, courses: readonly Undisturbed[]) {
    this.#scenario = scenario;
    this.#courses = courses;
  }

  static async of(scenario: Scenario): Promise<Killings> {
    const courses = await staged(scenario, async (theatre, ground) => {
      const found: Undisturbed[] = [];
      for (const [at, act] of scenario.acts.entries()) {
        const played = await theatre.play(act);
        await ground.catchUp();
        if (!isKillable(act) || !endsWell(played)) continue;
        const { steps, writes } = played;
        found.push({ at, act, steps, writes, once: await outcomeOf(act, played, theatre, ground) });
      }
      return found;
    });
    return new Killings(scenario, courses);
  }

  /** The acts that can be killed. */
  get courses(): readonly Course[] {
    return this.#courses;
  }

  /** Kills an act, plays it again, and answers what is not as if nobody had been killed. */
  async objections(course: Course, death: Death, hasDied?: (holder: string) => boolean): Promise<readonly string[]> {
    const undisturbed = this.#courses.find((each) => each === course);
    if (undisturbed === undefined) throw new TypeError("a course of another scenario");
    const { at, act, once } = undisturbed;
    return staged(this.#scenario, async (theatre, ground) => {
      await playAll(this.#scenario.acts.slice(0, at), theatre, ground);
      const killed = await theatre.play(act, { death });
      await ground.catchUp();
      if (!killed.died) return ["it was not killed"];
      const left = await latestRevision(act, theatre, ground);
      const runsBefore = runsIn(theatre.seen(act));
      const again = await theatre.play(act, hasDied === undefined ? {} : { hasDied });
      await ground.catchUp();
      const found = await outcomeOf(act, again, theatre, ground);
      if (isOver(act, left, once)) return differences(await this.#secondTime(undisturbed), found);
      return [
        ...differences(once, found),
        ...secondRuns(left, runsBefore, runsIn(theatre.seen(act))),
        ...(await heldLeases(theatre, ground)),
      ];
    });
  }

  #secondTime(course: Undisturbed): Promise<Outcome> {
    const known = this.#twice.get(course) ?? playedTwice(this.#scenario, course);
    this.#twice.set(course, known);
    return known;
  }
}

/** Lends a new cluster with a theatre in it. */
async function staged<T>(scenario: Scenario, work: (theatre: Theatre, ground: Ground) => Promise<T>): Promise<T> {
  const ground = embedded();
  const theatre = await Theatre.open(scenario, ground);
  try {
    return await work(theatre, ground);
  } finally {
    theatre.close();
    ground.leave();
  }
}

async function playedTwice(scenario: Scenario, { at, act }: Course): Promise<Outcome> {
  return staged(scenario, async (theatre, ground) => {
    await playAll(scenario.acts.slice(0, at + 1), theatre, ground);
    const played = await theatre.play(act);
    await ground.catchUp();
    return outcomeOf(act, played, theatre, ground);
  });
}

async function playAll(acts: readonly Act[], theatre: Theatre, ground: Ground): Promise<void> {
  for (const act of acts) {
    await theatre.play(act);
    await ground.catchUp();
  }
}

function isKillable(act: Act): act is Operating {
  return act.do === "deploy" || act.do === "rollback" || act.do === "delete";
}

function endsWell({ story }: Played): boolean {
  const end = story.at(-1);
  return end?.type === "done" && end.status !== "failed" && end.status !== "stopped";
}

async function outcomeOf(act: Operating, played: Played, theatre: Theatre, ground: Ground): Promise<Outcome> {
  return { end: endOf(played), photograph: await theatre.photograph(), latest: await latestRevision(act, theatre, ground) };
}

function endOf({ story, refusal }: Played): string {
  if (refusal !== undefined) return refusal instanceof Error ? refusal.message : String(refusal);
  const end = story.at(-1);
  return end?.type === "done" ? [end.status, end.because].filter((text) => text !== undefined).join(": ") : "no end";
}

function latestRevision({ release: name = "app", namespace = "$NS" }: Operating, theatre: Theatre, ground: Ground) {
  const release = { name, namespace: namespace.replaceAll("$NS", theatre.namespace) };
  return ground.until(historyOf(theatre.hands.cluster).revisions(release).then(latestOf));
}

/** Tells whether the records that a process left say that all it had to do was done. */
function isOver(act: Operating, left: Revision | undefined, once: Outcome): boolean {
  if (act.do === "delete") return left === undefined || left.state === "uninstalled";
  return left?.state === "deployed" && left.revision === once.latest?.revision;
}

function differences(expected: Outcome, found: Outcome): readonly string[] {
  const [before, now] = [expected.photograph, found.photograph];
  const titles = [...new Set([...Object.keys(before.objects), ...Object.keys(now.objects)])];
  const records = [before.records.join(", "), now.records.join(", ")] as const;
  return [
    ...(expected.end === found.end ? [] : [`it ended with ${found.end}, not ${expected.end}`]),
    ...titles.filter((title) => !equal(before.objects[title], now.objects[title])).map((title) => differenceOf(title, before, now)),
    ...(records[0] === records[1] ? [] : [`the records are ${records[1]}, not ${records[0]}`]),
  ];
}

function differenceOf(title: string, before: Photograph, now: Photograph): string {
  if (!(title in now.objects)) return `${title} is not there`;
  if (!(title in before.objects)) return `${title} is there`;
  return `${title} is ${JSON.stringify(now.objects[title])}, not ${JSON.stringify(before.objects[title])}`;
}

/** How often each object was made or changed, by title, wherever it lives. */
function runsIn(seen: readonly string[]): ReadonlyMap<string, number> {
  const runs = new Map<string, number>();
  for (const text of seen) {
    const [, title = ""] = /^(\S+).* (?:created|changed)$/.exec(text) ?? [];
    if (title !== "") runs.set(title, (runs.get(title) ?? 0) + 1);
  }
  return runs;
}

/** Hooks that the record called succeeded and that were made again all the same, beyond what was still to come of them. */
function secondRuns(
  left: Revision | undefined,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly string[] {
  const operation = left?.state === "uninstalling" ? "delete" : /^pending-(.*)$/.exec(left?.state ?? "")?.[1];
  if (left === undefined || operation === undefined) return [];
  const hooks = left.hooks.filter(({ events }) => events.some((event) => event.endsWith(`-${operation}`)));
  return [...Map.groupBy(hooks, (hook) => titleOf(hook))].flatMap(([title, alike]) => {
    if (!alike.some(hasRun)) return [];
    const due = alike.reduce((sum, hook) => sum + runsDue(hook, operation), 0);
    const runs = (after.get(title) ?? 0) - (before.get(title) ?? 0);
    return runs > due ? [`${title} ran ${runs} times more, and was due ${due} times`] : [];
  });
}

function hasRun({ lastRun }: Hook): boolean {
  return lastRun.phase === "Succeeded";
}

/** What a hook has still to do in an operation, by its record. */
function runsDue(hook: Hook, operation: string): number {
  const events = ["pre", "post"].map((when) => `${when}-${operation}`).filter((event) => hook.events.some((each) => each === event));
  const last = hasRun(hook) ? events.indexOf(hook.lastRun.event ?? "") : -1;
  return events.length - 1 - last;
}

const leases = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };

/** Whoever is done lets go of what a dead one held. */
async function heldLeases(theatre: Theatre, ground: Ground): Promise<readonly string[]> {
  const { items } = await ground.until(theatre.hands.cluster.list(leases));
  const held = items.filter(
    (lease) => lease.metadata.namespace?.startsWith(theatre.namespace) === true && stringAt(lease, "spec.holderIdentity", "") !== "",
  );
  return held.map(({ metadata }) => `lease ${metadata.name} is still held`);
}
