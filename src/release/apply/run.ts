import type { Cancel } from "../../core/clock/index.ts";
import { unreachable } from "../../core/fault/index.ts";
import { keyOf, titleOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Action, Plan, Step } from "../plan/index.ts";
import type { About, Status, Story } from "../index.ts";
import { Channel, Waits, type LogTail } from "../track/index.ts";
import { Course, type Blame, type Turn } from "./course.ts";
import { Deed, type Patient } from "./deed.ts";
import { Limit } from "./limit.ts";
import { applyObject, deleteObject, troubleText, type Means, type Site } from "./perform.ts";
import { evidenceAbout, evidenceIn, outputAbout, Unmet } from "./showing.ts";

export type RunOptions = {
  /** Stops everything where it is. What was done stays, and nothing is cleaned up: the next run carries on. */
  readonly signal: AbortSignal;
  /** How many applies and deletes go on at once. Default 20. Waiting is not limited. */
  readonly parallel?: number;
  /** After how long whatever is not done counts as failed. Default: never. */
  readonly timeoutMs?: number;
};

/** How long what deals with a failure may go on when the time for all is up. */
const aftermathMs = 30_000;

/**
 * Carries a plan out. Every step starts in the tick in which the last one that it needs is over; a failure skips what
 * depends on it and nothing else. Tells of every step, and at last how it came out.
 */
export async function* run(plan: Plan, site: Site, options: RunOptions): AsyncGenerator<Story> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const story = new Channel<Story>();
  const engine = new Engine(plan, site, { ...options, signal }, (event) => {
    if (event.type !== "planned" && event.type !== "done") site.hear?.(event);
    story.put(event);
  });
  engine.start().then(
    () => story.end(),
    (error: unknown) => story.fail(error),
  );
  try {
    yield* story;
  } finally {
    stop.abort();
  }
}

/** What came of a step. */
type Result = { readonly note: string | undefined; readonly logs?: readonly LogTail[] };

class Engine {
  readonly #plan: Plan;
  readonly #site: Site;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number | undefined;
  readonly #tell: (event: Story) => void;
  readonly #course: Course;
  readonly #waits: Waits;
  readonly #limit: Limit;
  /** Of its own: what has failed is not to wait for what is being applied. */
  readonly #showing = new Limit(10);
  readonly #stopWatching = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  /** Objects as the cluster answered when they were applied. */
  readonly #answers = new Map<string, KubeObject>();
  /** Objects that were gone as soon as they were deleted. */
  readonly #gone = new Set<string>();
  /** What goes on, by step. */
  readonly #underWay = new Map<Step, Patient>();
  /** Waits that have lost hope of their own and stay for as long as others do. */
  readonly #hopeless = new Set<Step>();
  readonly #failures: Blame[] = [];
  #running = 0;
  #late = false;

  constructor(plan: Plan, site: Site, { signal, parallel = 20, timeoutMs }: RunOptions, tell: (event: Story) => void) {
    this.#plan = plan;
    this.#site = site;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.#tell = tell;
    this.#course = new Course(plan);
    this.#limit = new Limit(parallel);
    this.#waits = new Waits(site.cluster, AbortSignal.any([signal, this.#stopWatching.signal]));
  }

  async start(): Promise<void> {
    const timeoutMs = this.#timeoutMs;
    const cancels =
      timeoutMs === undefined
        ? []
        : [this.#after(timeoutMs, () => this.#timeUp(timeoutMs)), this.#after(timeoutMs + aftermathMs, () => this.#endAftermath())];
    const stopped = () => this.#done.resolve();
    this.#signal.addEventListener("abort", stopped, { once: true });
    try {
      if (!this.#signal.aborted) this.#goOn();
      else this.#done.resolve();
      await this.#done.promise;
    } finally {
      for (const cancel of cancels) cancel();
      this.#signal.removeEventListener("abort", stopped);
      this.#stopWatching.abort(new Error("the run is over"));
    }
    this.#tellDone();
  }

  /** Starts all whose turn it is. */
  #goOn(): void {
    if (this.#signal.aborted) return;
    for (const turn of this.#course.turns()) this.#take(turn);
    if (this.#running === 0) return this.#done.resolve();
    // When only those are left that have lost hope, there is nobody left to hope for.
    if (this.#hopeless.size === this.#running) for (const step of this.#hopeless) this.#underWay.get(step)?.giveUp();
  }

  #take(turn: Turn): void {
    const { step } = turn;
    if (turn.do === "pass") return;
    if (turn.do === "skip") return this.#tell({ type: "skipped", ...aboutOf(step), because: skipText(turn.blame) });
    if (this.#late && !isAftermath(step)) {
      this.#tell({ type: "skipped", ...aboutOf(step), because: "the time is up" });
      return this.#course.settle(step, "skipped", "the time is up");
    }
    this.#running++;
    this.#tell({ type: "started", ...aboutOf(step) });
    this.#carryOut(step).then(
      (result) => this.#end(step, () => this.#finish(step, result)),
      (error: unknown) => this.#end(step, () => this.#fail(step, error)),
    );
  }

  async #carryOut(step: Step): Promise<Result> {
    const { action } = step;
    if (action.verb === "await") return this.#await(step, action);
    const deed = new Deed(this.#signal);
    this.#underWay.set(step, deed);
    const timeoutMs = action.verb === "apply" ? action.timeoutMs : undefined;
    const cancel =
      timeoutMs === undefined ? () => undefined : this.#after(timeoutMs, () => deed.giveUp(`not applied after ${timeoutMs / 1000} s`));
    try {
      return { note: await deed.run(() => this.#perform(step, action, deed)) };
    } finally {
      cancel();
    }
  }

  async #perform(step: Step, action: Exclude<Action, { verb: "await" }>, deed: Deed): Promise<string | undefined> {
    const means = this.#meansFor(step, deed);
    switch (action.verb) {
      case "apply":
        this.#gone.delete(keyOf(action.ref));
        this.#answers.set(keyOf(action.ref), await applyObject(action, means));
        return action.change;
      case "delete":
        this.#answers.delete(keyOf(action.ref));
        if ((await deleteObject(action, means)) === undefined) this.#gone.add(keyOf(action.ref));
        return undefined;
      case "record":
        await this.#limit.run(async () => this.#site.record?.(action, deed.signal));
        return undefined;
      case "join":
        return undefined;
      default:
        return unreachable(action);
    }
  }

  #meansFor(step: Step, deed: Deed): Means {
    const waiting = (because: string) => {
      if (deed.signal.aborted) return;
      deed.waiting(because);
      this.#tell({ type: "waiting", ...aboutOf(step), because });
    };
    const home = this.#plan.release?.namespace ?? this.#site.cluster.namespace;
    return { site: this.#site, waits: this.#waits, limit: this.#limit, signal: deed.signal, home, waiting };
  }

  async #await(step: Step, action: Extract<Action, { verb: "await" }>): Promise<Result> {
    if (this.#isGone(action)) return { note: undefined };
    const answer = action.external ? undefined : this.#answers.get(keyOf(action.ref));
    const wait = this.#waits.start(action, answer, (because, hopeless) => this.#reason(step, because, hopeless));
    this.#underWay.set(step, wait);
    if (this.#late && !isAftermath(step)) wait.giveUp("the time is up");
    const ending = await wait.ended;
    const hook = step.hook === true ? answer : undefined;
    if (ending.state === "open") return { note: ending.note, logs: await outputAbout(wait, hook, this.#signal) };
    const evidence = await this.#showing.run(() => evidenceAbout(wait, hook, this.#signal));
    throw new Unmet(ending.because, evidence);
  }

  /** The answer to its deletion has said so: there is nothing to watch. */
  #isGone({ ref, gates, external }: Extract<Action, { verb: "await" }>): boolean {
    return !external && this.#gone.has(keyOf(ref)) && gates.every(({ until }) => until === "absent");
  }

  #reason(step: Step, because: string, hopeless: boolean): void {
    this.#tell({ type: "waiting", ...aboutOf(step), because: hopeless ? `${because}; there is still hope while others go on` : because });
    if (!hopeless) return void this.#hopeless.delete(step);
    this.#hopeless.add(step);
    if (this.#hopeless.size === this.#running) queueMicrotask(() => this.#goOn());
  }

  #end(step: Step, settle: () => void): void {
    this.#underWay.delete(step);
    this.#hopeless.delete(step);
    this.#running--;
    if (this.#signal.aborted) return;
    settle();
    this.#goOn();
  }

  #finish(step: Step, { note, logs = [] }: Result): void {
    const because = note === undefined ? {} : { because: note };
    this.#tell({ type: "finished", ...aboutOf(step), ...because, ...(logs.length === 0 ? {} : { logs }) });
    this.#course.settle(step, "finished");
  }

  #fail(step: Step, error: unknown): void {
    const because = troubleText(error, step.action);
    this.#failures.push({ step, because });
    this.#tell({ type: "failed", ...aboutOf(step), because, ...evidenceIn(error) });
    this.#course.settle(step, "failed", because);
  }

  /** What is not done has failed. What cleans up still runs, and what is written down is written to its end. */
  #timeUp(timeoutMs: number): void {
    this.#late = true;
    for (const [step, patient] of this.#underWay) {
      if (!isAftermath(step) && step.action.verb !== "record") patient.giveUp(`the time is up after ${timeoutMs / 1000} s`);
    }
  }

  #endAftermath(): void {
    for (const patient of this.#underWay.values()) patient.giveUp("the time is up");
  }

  #after(ms: number, fire: () => void): Cancel {
    return this.#site.cluster.clock.after(ms, fire);
  }

  #tellDone(): void {
    const left = this.#course.left();
    if (this.#signal.aborted) return this.#tell({ type: "done", status: "stopped", left });
    const [first] = this.#failures;
    if (first === undefined) return this.#tell({ type: "done", status: this.#goodStatus() });
    this.#tell({ type: "done", status: "failed", because: `${nameOf(first.step)}: ${first.because}` });
  }

  #goodStatus(): Status {
    return this.#plan.operation === "delete" ? "deleted" : "deployed";
  }
}

/** Steps that deal with a failure are no part of what has failed. */
function isAftermath({ onlyIf }: Step): boolean {
  return onlyIf !== undefined;
}

function aboutOf({ id, action, stage, rank }: Step): About {
  if (action.verb === "join") throw new TypeError(`nothing is told of ${id}`);
  const until = action.verb === "await" ? action.gates[0]?.until : undefined;
  return { verb: action.verb, ref: refOfAction(action), id, stage, rank, ...(until === undefined || until === "ready" ? {} : { until }) };
}

/** A record is kept in a Secret, as Helm names it. */
function refOfAction(action: Exclude<Action, { verb: "join" }>): ObjectRef {
  if (action.verb !== "record") return action.ref;
  const name = `sh.helm.release.v1.${action.release}.v${action.revision}`;
  return { group: "", version: "v1", kind: "Secret", namespace: action.namespace, name };
}

function nameOf({ action }: Step): string {
  if (action.verb === "join") return action.what;
  return action.verb === "record" ? `the record of ${action.release}` : titleOf(action.ref);
}

function skipText({ step, because }: Blame): string {
  return `${nameOf(step)} failed: ${because}`;
}
