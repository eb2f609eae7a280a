import { Fault, unreachable } from "../../core/fault/index.ts";
import { keyOf, type KubeObject } from "../../core/object/index.ts";
import type { SensitiveObject } from "../conceal/index.ts";
import type { Action, ApplyAction, AwaitAction, Plan, Step } from "../plan/index.ts";
import type { EventProgress, Progress, RunProgress, StepProgress } from "../index.ts";
import { noDiagnostics, ObjectWaits, runsToItsEnd, Semaphore, type LogTail } from "../track/index.ts";
import { applyObject, deleteObject, type ApplyContext, type StepContext } from "./apply-object.ts";
import { Recreations } from "./recreations.ts";
import { RunLogs } from "./run-logs.ts";
import type { RunPlanOptions } from "./run-plan.ts";
import type { RunningSteps } from "./running-steps.ts";
import { StepRun } from "./step-run.ts";
import { stepNameOf, stepSubjectOf } from "./step-subject.ts";
import { findVanished, wantedObjects } from "./vanished-objects.ts";
import { hookOutput, waitDiagnostics, WaitFault } from "./wait-fault.ts";

export type ExecutorHandlers = {
  readonly onProgress: (event: StepProgress | EventProgress | RunProgress) => void;
  /** Is called when there are lines of logs to take. */
  readonly onLogs: (take: () => readonly Progress[]) => void;
  /** Is called with each new reason of a wait. `hopeless`: it has failed, and other steps may still cure it. */
  readonly onReason: (step: Step, because: string, hopeless: boolean) => void;
};

/** In a shorter run that waits for nothing, nothing is looked for that others have deleted meanwhile. */
const shortestCheckedMs = 1_000;

/** An object that was deleted during the run and could not be created again, by its step. */
type RestoreFailure = { readonly step: Step; readonly error: unknown };

/** What a step returns. */
export type StepResult = { readonly note: string | undefined; readonly logs?: readonly LogTail[] };

/** Executes single steps of a plan, and knows what earlier ones have done to their objects. */
export class StepExecutor {
  readonly #plan: Plan;
  readonly #context: ApplyContext;
  readonly #signal: AbortSignal;
  readonly #running: RunningSteps;
  readonly #handlers: ExecutorHandlers;
  readonly #waits: ObjectWaits;
  readonly #logs: RunLogs;
  readonly #semaphore: Semaphore;
  /** A semaphore of its own: diagnostics do not queue behind applies. */
  readonly #diagnosing = new Semaphore(10);
  readonly #stopWatching = new AbortController();
  /** Objects as the API server returned them from apply. */
  readonly #answers = new Map<string, KubeObject>();
  readonly #recreations: Recreations;
  /** Objects that DELETE removed at once. */
  readonly #gone = new Set<string>();
  readonly #startedAt: number;
  #hasWaited = false;

  constructor(
    plan: Plan,
    context: ApplyContext,
    { signal, parallel = 20, schedulingTimeoutMs, attendanceOf, onDeleted, logs = "none" }: RunPlanOptions,
    running: RunningSteps,
    handlers: ExecutorHandlers,
  ) {
    this.#plan = plan;
    this.#context = context;
    this.#signal = signal;
    this.#running = running;
    this.#handlers = handlers;
    this.#startedAt = context.cluster.clock.now();
    this.#semaphore = new Semaphore(parallel);
    this.#recreations = new Recreations(context, onDeleted);
    const watching = AbortSignal.any([signal, this.#stopWatching.signal]);
    this.#waits = new ObjectWaits(context.cluster, watching, { schedulingTimeoutMs, attendanceOf });
    const objects = context.objects ?? (() => manifestsOf(plan));
    const { onProgress: onEvent, onLogs } = handlers;
    this.#logs = new RunLogs(context.cluster, { scope: logs, signal: watching, objects, onLogs, onEvent });
  }

  /** Reads what deleted workloads leave behind while the first requests are under way. */
  prefetchDependents(): void {
    for (const { action } of this.#plan.steps)
      if (action.verb === "await" && action.dependents === true) this.#waits.prefetchDependents(action.ref);
  }

  /** Ends all watches. */
  end(): void {
    this.#stopWatching.abort(new Error("the run is over"));
  }

  async run(step: Step): Promise<StepResult> {
    const { action } = step;
    if (action.verb === "await") return this.#await(step, action);
    const stepRun = new StepRun(this.#signal);
    this.#running.hold(step, stepRun);
    const timeoutMs = action.verb === "apply" ? action.timeoutMs : undefined;
    const cancel =
      timeoutMs === undefined
        ? () => undefined
        : this.#context.cluster.clock.after(timeoutMs, () => stepRun.cancel(`not applied after ${timeoutMs / 1000} s`));
    try {
      return { note: await stepRun.run(() => this.#perform(step, action, stepRun)) };
    } finally {
      cancel();
    }
  }

  async #perform(step: Step, action: Exclude<Action, { verb: "await" }>, stepRun: StepRun): Promise<string | undefined> {
    const context = this.#contextFor(step, stepRun);
    switch (action.verb) {
      case "apply":
        this.#gone.delete(keyOf(action.ref));
        this.#answers.set(keyOf(action.ref), await applyObject(action, context));
        this.#recreations.applied(action);
        return action.change;
      case "delete":
        this.#answers.delete(keyOf(action.ref));
        this.#recreations.deleted(action);
        if ((await deleteObject(action, context)) === undefined) this.#gone.add(keyOf(action.ref));
        return undefined;
      case "record":
        if (action.state === "deployed" && action.hook === undefined) await this.#restoreBeforeRecord(stepRun.signal);
        await this.#semaphore.run(async () => this.#context.record?.(action, stepRun.signal));
        return undefined;
      case "join":
        return undefined;
      default:
        return unreachable(action);
    }
  }

  #contextFor(step: Step, stepRun: StepRun): StepContext {
    const onWaiting = (because: string) => {
      if (stepRun.signal.aborted) return;
      stepRun.waiting(because);
      this.#handlers.onProgress({ type: "waiting", ...stepSubjectOf(step), because });
    };
    const home = this.#plan.release?.namespace ?? this.#context.cluster.namespace;
    return { applyContext: this.#context, waits: this.#waits, semaphore: this.#semaphore, signal: stepRun.signal, home, onWaiting };
  }

  async #await(step: Step, action: AwaitAction, { hasExisted = false } = {}): Promise<StepResult> {
    if (this.#isGone(action)) return { note: action.dependents === true ? await this.#awaitDependents(step, action) : undefined };
    const startedAt = this.#context.cluster.clock.now();
    const answer = action.external ? undefined : this.#answers.get(keyOf(action.ref));
    const again = new StepRun(this.#signal);
    const apply = (wanted: ApplyAction, uid: string) => again.run(() => this.#applyAgain(wanted, uid, this.#contextFor(step, again)));
    const wait = this.#waits.start(action, {
      answer,
      recreate: this.#recreations.of(action, apply),
      hasExisted,
      logs: this.#logs.of(step, action),
      events: this.#logs.eventsOf(step, action),
      onReason: (because, hopeless) => this.#handlers.onReason(step, because, hopeless),
    });
    this.#running.hold(step, wait);
    const ending = await wait.ended.finally(() => again.cancel());
    this.#hasWaited ||= wait.hasWatched;
    await wait.finishLogs(this.#signal);
    const hook = step.hook === true ? answer : undefined;
    if (ending.state === "open" && action.dependents === true) return { note: await this.#awaitDependents(step, action, startedAt) };
    if (ending.state === "open") return { note: ending.note, logs: this.#logs.concealTails(await hookOutput(wait, hook, this.#signal)) };
    const evidence = await this.#diagnosing.run(() => waitDiagnostics(wait, hook, this.#signal));
    throw new WaitFault(ending.because, { ...evidence, logs: this.#logs.concealTails(evidence.logs) });
  }

  /** What a Job of the same name started is to be gone first, so that its work is not done twice at the same time. */
  async #applyAgain(action: ApplyAction, uid: string, context: StepContext): Promise<KubeObject> {
    if (action.ref.kind === "Job") {
      const wait = this.#waits.startForDependents({ ref: action.ref, uid }, context.onWaiting);
      context.signal.addEventListener("abort", () => wait.cancel(), { once: true });
      await wait.ended;
    }
    return applyObject(action, context);
  }

  /**
   * Creates again what others deleted since it was applied or read, and waits for it as the plan does. Returns what could
   * not be restored. A short run that waited for nothing looks for nothing: it has seen all of it a moment ago.
   */
  async restoreVanished(signal: AbortSignal): Promise<readonly RestoreFailure[]> {
    const { cluster } = this.#context;
    if (!this.#hasWaited && cluster.clock.now() - this.#startedAt < shortestCheckedMs) return [];
    const wanted = wantedObjects(this.#plan).filter(({ action }) => this.#isStillWanted(action));
    for (const group of await findVanished(wanted, cluster, this.#semaphore, signal)) {
      const failures = await Promise.all(group.map(({ step, action }) => this.#restore(step, action)));
      if (failures.some((failure) => failure !== undefined)) return failures.filter((failure) => failure !== undefined);
    }
    return [];
  }

  async #restoreBeforeRecord(signal: AbortSignal): Promise<void> {
    const [failure] = await this.restoreVanished(signal);
    if (failure !== undefined) throw new Fault(`${stepNameOf(failure.step)} was deleted during the run`, failure.error);
  }

  async #restore(step: Step, action: AwaitAction): Promise<RestoreFailure | undefined> {
    this.#answers.delete(keyOf(action.ref));
    try {
      const { note } = await this.#await(step, action, { hasExisted: true });
      this.#handlers.onProgress({ type: "finished", ...stepSubjectOf(step), ...(note === undefined ? {} : { because: note }) });
      return undefined;
    } catch (error) {
      return { step, error };
    } finally {
      this.#running.release(step);
    }
  }

  /** What was ready and runs to its end has done its part. */
  #isStillWanted(action: AwaitAction): boolean {
    const apply = this.#recreations.applyOf(action);
    return apply !== undefined && !runsToItsEnd(apply.manifest);
  }

  /** Waits until what controllers made for a deleted workload is gone too, in the time that is left since `startedAt`. */
  async #awaitDependents(step: Step, action: AwaitAction, startedAt?: number): Promise<string | undefined> {
    const { ref, uid = "", timeoutMs } = action;
    const { clock } = this.#context.cluster;
    const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs - (clock.now() - (startedAt ?? clock.now()))) };
    const wait = this.#waits.startForDependents({ ref, uid, ...left }, (because) => this.#handlers.onReason(step, because, false));
    this.#running.hold(step, wait);
    const ending = await wait.ended;
    if (ending.state === "failed") throw new WaitFault(ending.because, noDiagnostics);
    return ending.note;
  }

  /** DELETE has removed the object already, so there is nothing to watch. */
  #isGone({ ref, gates, external }: AwaitAction): boolean {
    return !external && this.#gone.has(keyOf(ref)) && gates.every(({ until }) => until === "absent");
  }
}

function manifestsOf({ steps }: Plan): readonly SensitiveObject[] {
  return steps.flatMap(({ action }) =>
    action.verb === "apply" ? [{ object: action.manifest, sensitive: { whole: false, paths: [] } }] : [],
  );
}
