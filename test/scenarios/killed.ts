import { historyOf, latestOf, type Revision } from "../../src/release/record/index.ts";
import { differences, heldLeases, runsIn, secondRuns, type Outcome } from "./aftermath.ts";
import { embedded, type Ground } from "./ground.ts";
import type { Death } from "./mortal.ts";
import type { Operating } from "./operation.ts";
import type { Act, Scenario } from "./scenario.ts";
import { Theatre, type Played } from "./theatre.ts";

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
