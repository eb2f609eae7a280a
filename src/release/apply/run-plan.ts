import type { Cancel } from "../../core/clock/index.ts";
import { Fault, unreachable } from "../../core/fault/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Action, ApplyAction, Plan, Step } from "../plan/index.ts";
import type { EventProgress, RunProgress, RunStatus, StepProgress, Progress } from "../index.ts";
import { Channel, mayRecreate, noDiagnostics, ObjectWaits, Semaphore, type AttendanceOf, type LogTail } from "../track/index.ts";
import { Scheduler, type SkipCause, type ReadyStep } from "./scheduler.ts";
import { StepRun, type Cancellable } from "./step-run.ts";
import { handlesFailure, stepNameOf, stepSubjectOf } from "./step-subject.ts";
import { Recreations } from "./recreations.ts";
import { findVanished } from "./vanished-objects.ts";
import { RunLogs, type LogScope } from "./run-logs.ts";
import { applyObject, deleteObject, failureText, type StepContext, type ApplyContext } from "./apply-object.ts";
import { waitDiagnostics, diagnosticsIn, hookOutput, WaitFault } from "./wait-fault.ts";

export type RunPlanOptions = {
  /** Stops at once. What was done stays and nothing is cleaned up; the next run carries on. */
  readonly signal: AbortSignal;
  /** The maximum of concurrent applies and deletes. Default 20. Waits do not count. */
  readonly parallel?: number;
  /** When unfinished steps fail. Default: never. */
  readonly timeoutMs?: number;
  /** How long pods may be unschedulable, unless `sluice.dev/scheduling-timeout` says otherwise. Default two minutes. */
  readonly schedulingTimeoutMs?: number;
  /** Finds out whether somebody works on an object that is not ready. Default: somebody does. */
  readonly attendanceOf?: AttendanceOf;
  /** Is called with an object that is deleted while it is waited for, and its wait fails. Default: it is applied again. */
  readonly onDeleted?: (ref: ObjectRef) => void;
  /** Whose logs are reported. Default `none`. */
  readonly logs?: LogScope;
};

/** How long steps that handle a failure may run after the time-out of the run. */
const failureHandlingMs = 30_000;

/**
 * Runs a plan. Each step starts in the tick in which its last need completes; a failure skips its dependents only.
 * Yields every step event, what containers write, and last the result. Lines that are not taken in time are skipped.
 */
export async function* runPlan(plan: Plan, context: ApplyContext, options: RunPlanOptions): AsyncGenerator<Progress> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const progress = new Channel<() => readonly Progress[]>();
  const runner = new PlanRunner(
    plan,
    context,
    { ...options, signal },
    {
      onProgress(event) {
        if ("verb" in event) context.onProgress?.(event);
        progress.put(() => [event]);
      },
      onLogs: (take) => progress.put(take),
    },
  );
  runner.start().then(
    () => progress.end(),
    (error: unknown) => progress.fail(error),
  );
  try {
    for await (const take of progress) yield* take();
  } finally {
    stop.abort();
  }
}

type PlanHandlers = {
  readonly onProgress: (event: StepProgress | EventProgress | RunProgress) => void;
  /** Is called when there are lines of logs to take. */
  readonly onLogs: (take: () => readonly Progress[]) => void;
};

/** In a shorter run nothing is looked for that others have deleted meanwhile. */
const shortestCheckedMs = 1_000;

type AwaitAction = Extract<Action, { verb: "await" }>;

/** Why a step is not begun any more. */
const timeIsUp = "the time is up";

/** What a step returns. */
type StepResult = { readonly note: string | undefined; readonly logs?: readonly LogTail[] };

class PlanRunner {
  readonly #plan: Plan;
  readonly #context: ApplyContext;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number | undefined;
  readonly #report: PlanHandlers["onProgress"];
  readonly #scheduler: Scheduler;
  readonly #waits: ObjectWaits;
  readonly #logs: RunLogs;
  readonly #semaphore: Semaphore;
  /** A semaphore of its own: diagnostics do not queue behind applies. */
  readonly #diagnosing = new Semaphore(10);
  readonly #stopWatching = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  /** Objects as the API server returned them from apply. */
  readonly #answers = new Map<string, KubeObject>();
  readonly #recreations: Recreations;
  /** Objects that DELETE removed at once. */
  readonly #gone = new Set<string>();
  /** The steps that run now. */
  readonly #running = new Map<Step, Cancellable>();
  /** Waits with fail mode `hope` that have failed. They go on while other steps run. */
  readonly #hopeless = new Set<Step>();
  readonly #failures: SkipCause[] = [];
  #runningCount = 0;
  #startedAt = 0;
  #timedOut = false;

  constructor(
    plan: Plan,
    context: ApplyContext,
    { signal, parallel = 20, timeoutMs, schedulingTimeoutMs, attendanceOf, onDeleted, logs = "none" }: RunPlanOptions,
    { onProgress, onLogs }: PlanHandlers,
  ) {
    this.#plan = plan;
    this.#context = context;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.#report = onProgress;
    this.#scheduler = new Scheduler(plan);
    this.#semaphore = new Semaphore(parallel);
    this.#recreations = new Recreations(onDeleted);
    const watching = AbortSignal.any([signal, this.#stopWatching.signal]);
    this.#waits = new ObjectWaits(context.cluster, watching, { schedulingTimeoutMs, attendanceOf });
    const objects = context.objects ?? (() => manifestsOf(plan));
    this.#logs = new RunLogs(context.cluster, { scope: logs, signal: watching, objects, onLogs, onEvent: onProgress });
  }

  async start(): Promise<void> {
    this.#startedAt = this.#context.cluster.clock.now();
    const timeoutMs = this.#timeoutMs;
    const cancels =
      timeoutMs === undefined
        ? []
        : [
            this.#after(timeoutMs, () => this.#timeOut(timeoutMs)),
            this.#after(timeoutMs + failureHandlingMs, () => this.#endFailureHandling()),
          ];
    const stopped = () => this.#done.resolve();
    this.#signal.addEventListener("abort", stopped, { once: true });
    try {
      this.#prefetchDependents();
      if (!this.#signal.aborted) this.#startReady();
      else this.#done.resolve();
      await this.#done.promise;
    } finally {
      for (const cancel of cancels) cancel();
      this.#signal.removeEventListener("abort", stopped);
      this.#stopWatching.abort(new Error("the run is over"));
    }
    this.#reportDone();
  }

  /** Reads what deleted workloads leave behind while the first requests are under way. */
  #prefetchDependents(): void {
    for (const { action } of this.#plan.steps)
      if (action.verb === "await" && action.dependents === true) this.#waits.prefetchDependents(action.ref);
  }

  /** Starts every step that is ready. */
  #startReady(): void {
    if (this.#signal.aborted) return;
    for (const ready of this.#scheduler.readySteps()) this.#start(ready);
    if (this.#runningCount === 0) return this.#done.resolve();
    // When only failed `hope` waits are left, nothing can make them succeed.
    if (this.#hopeless.size === this.#runningCount) for (const step of this.#hopeless) this.#running.get(step)?.cancel();
  }

  #start(ready: ReadyStep): void {
    const { step } = ready;
    if (ready.do === "pass") return;
    if (ready.do === "skip") return this.#report({ type: "skipped", ...stepSubjectOf(step), because: skipText(ready.cause) });
    if (this.#timedOut && !handlesFailure(step)) {
      this.#report({ type: "skipped", ...stepSubjectOf(step), because: timeIsUp });
      return this.#scheduler.complete(step, "skipped", timeIsUp);
    }
    this.#runningCount++;
    this.#report({ type: "started", ...stepSubjectOf(step) });
    this.#runStep(step).then(
      (result) => this.#end(step, () => this.#finish(step, result)),
      (error: unknown) => this.#end(step, () => this.#fail(step, error)),
    );
  }

  async #runStep(step: Step): Promise<StepResult> {
    const { action } = step;
    if (action.verb === "await") return this.#await(step, action);
    const stepRun = new StepRun(this.#signal);
    this.#running.set(step, stepRun);
    const timeoutMs = action.verb === "apply" ? action.timeoutMs : undefined;
    const cancel =
      timeoutMs === undefined ? () => undefined : this.#after(timeoutMs, () => stepRun.cancel(`not applied after ${timeoutMs / 1000} s`));
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
        if (action.state === "deployed" && action.hook === undefined) await this.#restoreVanished(stepRun.signal);
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
      this.#report({ type: "waiting", ...stepSubjectOf(step), because });
    };
    const home = this.#plan.release?.namespace ?? this.#context.cluster.namespace;
    return { applyContext: this.#context, waits: this.#waits, semaphore: this.#semaphore, signal: stepRun.signal, home, onWaiting };
  }

  async #await(step: Step, action: AwaitAction, { hasExisted = false } = {}): Promise<StepResult> {
    if (this.#isGone(action)) return { note: action.dependents === true ? await this.#awaitDependents(step, action) : undefined };
    const startedAt = this.#context.cluster.clock.now();
    const answer = action.external ? undefined : this.#answers.get(keyOf(action.ref));
    const again = new StepRun(this.#signal);
    const apply = (wanted: ApplyAction) => again.run(() => applyObject(wanted, this.#contextFor(step, again)));
    const wait = this.#waits.start(action, {
      answer,
      recreate: this.#recreations.of(action, apply),
      hasExisted,
      logs: this.#logs.of(step, action),
      events: this.#logs.eventsOf(step, action),
      onReason: (because, hopeless) => this.#reason(step, because, hopeless),
    });
    this.#running.set(step, wait);
    if (this.#timedOut && !handlesFailure(step)) wait.cancel("the time is up");
    const ending = await wait.ended.finally(() => again.cancel());
    await wait.finishLogs(this.#signal);
    const hook = step.hook === true ? answer : undefined;
    if (ending.state === "open" && action.dependents === true) return { note: await this.#awaitDependents(step, action, startedAt) };
    if (ending.state === "open") return { note: ending.note, logs: this.#logs.concealTails(await hookOutput(wait, hook, this.#signal)) };
    const evidence = await this.#diagnosing.run(() => waitDiagnostics(wait, hook, this.#signal));
    throw new WaitFault(ending.because, { ...evidence, logs: this.#logs.concealTails(evidence.logs) });
  }

  /** Creates again what others deleted since it was applied, and waits for it as the plan does. */
  async #restoreVanished(signal: AbortSignal): Promise<void> {
    const { cluster } = this.#context;
    if (cluster.clock.now() - this.#startedAt < shortestCheckedMs) return;
    const awaits = this.#plan.steps.flatMap((step) => (step.action.verb === "await" ? [{ step, action: step.action }] : []));
    const wanted = awaits.filter(({ step, action }) => step.hook !== true && this.#isStillWanted(action));
    const vanished = await findVanished(
      wanted.map(({ action }) => action.ref),
      cluster,
      this.#semaphore,
      signal,
    );
    const keys = new Set(vanished.map(keyOf));
    await Promise.all(wanted.filter(({ action }) => keys.has(keyOf(action.ref))).map(({ step, action }) => this.#restore(step, action)));
  }

  async #restore(step: Step, action: AwaitAction): Promise<void> {
    this.#answers.delete(keyOf(action.ref));
    try {
      await this.#await(step, action, { hasExisted: true });
    } catch (error) {
      throw new Fault(`${stepNameOf(step)} was deleted during the run`, error);
    } finally {
      this.#running.delete(step);
    }
  }

  /** Jobs and Pods may have run to their end: they are not run twice. */
  #isStillWanted({ ref, gates, external, recreate }: AwaitAction): boolean {
    const wanted = this.#recreations.lastApplyOf(ref) ?? recreate;
    if (external || wanted === undefined || ref.kind === "Job" || ref.kind === "Pod") return false;
    return mayRecreate(wanted.manifest, gates);
  }

  /** Waits until what controllers made for a deleted workload is gone too, in the time that is left since `startedAt`. */
  async #awaitDependents(step: Step, action: AwaitAction, startedAt?: number): Promise<string | undefined> {
    const { ref, uid = "", timeoutMs } = action;
    const { clock } = this.#context.cluster;
    const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs - (clock.now() - (startedAt ?? clock.now()))) };
    const wait = this.#waits.startForDependents({ ref, uid, ...left }, (because) => this.#reason(step, because, false));
    this.#running.set(step, wait);
    if (this.#timedOut && !handlesFailure(step)) wait.cancel("the time is up");
    const ending = await wait.ended;
    if (ending.state === "failed") throw new WaitFault(ending.because, noDiagnostics);
    return ending.note;
  }

  /** DELETE has removed the object already, so there is nothing to watch. */
  #isGone({ ref, gates, external }: AwaitAction): boolean {
    return !external && this.#gone.has(keyOf(ref)) && gates.every(({ until }) => until === "absent");
  }

  #reason(step: Step, because: string, hopeless: boolean): void {
    this.#report({
      type: "waiting",
      ...stepSubjectOf(step),
      because: hopeless ? `${because}; there is still hope while others go on` : because,
    });
    if (!hopeless) return void this.#hopeless.delete(step);
    this.#hopeless.add(step);
    if (this.#hopeless.size === this.#runningCount) queueMicrotask(() => this.#startReady());
  }

  #end(step: Step, settle: () => void): void {
    this.#running.delete(step);
    this.#hopeless.delete(step);
    this.#runningCount--;
    if (this.#signal.aborted) return;
    settle();
    this.#startReady();
  }

  #finish(step: Step, { note, logs = [] }: StepResult): void {
    const because = note === undefined ? {} : { because: note };
    this.#report({ type: "finished", ...stepSubjectOf(step), ...because, ...(logs.length === 0 ? {} : { logs }) });
    this.#scheduler.complete(step, "finished");
  }

  #fail(step: Step, error: unknown): void {
    const because = failureText(error, step.action);
    this.#failures.push({ step, because });
    this.#report({ type: "failed", ...stepSubjectOf(step), because, ...diagnosticsIn(error) });
    this.#scheduler.complete(step, "failed", because);
  }

  /** Cancels what is unfinished. Steps that handle a failure still start, and records are written to the end. */
  #timeOut(timeoutMs: number): void {
    this.#timedOut = true;
    for (const [step, cancellable] of this.#running) {
      if (!handlesFailure(step) && step.action.verb !== "record") cancellable.cancel(`the time is up after ${timeoutMs / 1000} s`);
    }
  }

  #endFailureHandling(): void {
    for (const cancellable of this.#running.values()) cancellable.cancel(timeIsUp);
  }

  #after(ms: number, fire: () => void): Cancel {
    return this.#context.cluster.clock.after(ms, fire);
  }

  #reportDone(): void {
    const left = this.#scheduler.left();
    if (this.#signal.aborted) return this.#report({ type: "done", status: "stopped", left });
    const [first] = this.#failures;
    if (first === undefined) return this.#report({ type: "done", status: this.#goodStatus() });
    this.#report({ type: "done", status: "failed", because: `${stepNameOf(first.step)}: ${first.because}` });
  }

  #goodStatus(): RunStatus {
    return this.#plan.operation === "delete" ? "deleted" : "deployed";
  }
}

function manifestsOf({ steps }: Plan): readonly KubeObject[] {
  return steps.flatMap(({ action }) => (action.verb === "apply" ? [action.manifest] : []));
}

/** The reason of the failure is told with the failure itself. */
function skipText({ step, because }: SkipCause): string {
  return because === timeIsUp ? timeIsUp : `${stepNameOf(step)} failed`;
}
