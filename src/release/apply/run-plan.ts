import type { Cancel } from "../../core/clock/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { Plan, Step } from "../plan/index.ts";
import type { RunStatus, Progress } from "../index.ts";
import { Channel, type AttendanceOf } from "../track/index.ts";
import { Scheduler, type SkipCause, type ReadyStep } from "./scheduler.ts";
import { RunningSteps, timeIsUp } from "./running-steps.ts";
import { StepExecutor, type ExecutorHandlers, type StepResult } from "./step-executor.ts";
import { handlesFailure, stepNameOf, stepSubjectOf } from "./step-subject.ts";
import type { LogScope } from "./run-logs.ts";
import { failureText, type ApplyContext } from "./apply-object.ts";
import { diagnosticsIn } from "./wait-fault.ts";

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

type PlanHandlers = Pick<ExecutorHandlers, "onProgress" | "onLogs">;

class PlanRunner {
  readonly #plan: Plan;
  readonly #context: ApplyContext;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number | undefined;
  readonly #report: PlanHandlers["onProgress"];
  readonly #scheduler: Scheduler;
  readonly #executor: StepExecutor;
  readonly #running = new RunningSteps();
  readonly #done = Promise.withResolvers<void>();
  readonly #failures: SkipCause[] = [];

  constructor(plan: Plan, context: ApplyContext, options: RunPlanOptions, handlers: PlanHandlers) {
    this.#plan = plan;
    this.#context = context;
    this.#signal = options.signal;
    this.#timeoutMs = options.timeoutMs;
    this.#report = handlers.onProgress;
    this.#scheduler = new Scheduler(plan);
    const onReason = (step: Step, because: string, hopeless: boolean) => this.#reason(step, because, hopeless);
    this.#executor = new StepExecutor(plan, context, options, this.#running, { ...handlers, onReason });
  }

  async start(): Promise<void> {
    const timeoutMs = this.#timeoutMs;
    const cancels =
      timeoutMs === undefined
        ? []
        : [
            this.#after(timeoutMs, () => this.#running.timeOut(timeoutMs)),
            this.#after(timeoutMs + failureHandlingMs, () => this.#running.cancelAll()),
          ];
    const stopped = () => this.#done.resolve();
    this.#signal.addEventListener("abort", stopped, { once: true });
    try {
      this.#executor.prefetchDependents();
      if (!this.#signal.aborted) this.#startReady();
      else this.#done.resolve();
      await this.#done.promise;
      await this.#restoreUnrecorded();
    } finally {
      for (const cancel of cancels) cancel();
      this.#signal.removeEventListener("abort", stopped);
      this.#executor.end();
    }
    this.#reportDone();
  }

  /** Starts every step that is ready. */
  #startReady(): void {
    if (this.#signal.aborted) return;
    for (const ready of this.#scheduler.readySteps()) this.#start(ready);
    if (this.#running.count === 0) return this.#done.resolve();
    // When only failed `hope` waits are left, nothing can make them succeed.
    if (this.#running.isHopeless) this.#running.cancelHopeless();
  }

  #start(ready: ReadyStep): void {
    const { step } = ready;
    if (ready.do === "pass") return;
    if (ready.do === "skip") return this.#report({ type: "skipped", ...stepSubjectOf(step), because: skipText(ready.cause) });
    if (this.#running.isTimedOut && !handlesFailure(step)) {
      this.#report({ type: "skipped", ...stepSubjectOf(step), because: timeIsUp });
      return this.#scheduler.complete(step, "skipped", timeIsUp);
    }
    this.#running.begin(step);
    this.#report({ type: "started", ...stepSubjectOf(step) });
    this.#executor.run(step).then(
      (result) => this.#end(step, () => this.#finish(step, result)),
      (error: unknown) => this.#end(step, () => this.#fail(step, error)),
    );
  }

  #reason(step: Step, because: string, hopeless: boolean): void {
    this.#report({
      type: "waiting",
      ...stepSubjectOf(step),
      because: hopeless ? `${because}; there is still hope while others go on` : because,
    });
    this.#running.setHopeless(step, hopeless);
    if (this.#running.isHopeless) queueMicrotask(() => this.#startReady());
  }

  #end(step: Step, settle: () => void): void {
    this.#running.end(step);
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
    this.#scheduler.complete(step, "failed", this.#reportFailure(step, error));
  }

  #reportFailure(step: Step, error: unknown): string {
    const because = failureText(error, step.action, this.#context);
    this.#failures.push({ step, because });
    this.#report({ type: "failed", ...stepSubjectOf(step), because, ...diagnosticsIn(error) });
    return because;
  }

  /** A run that records its success looks for what has vanished before that; any other one at its end. */
  async #restoreUnrecorded(): Promise<void> {
    const { operation, release } = this.#plan;
    const deploys = operation !== "delete" && operation !== "test";
    if (!deploys || release !== undefined || this.#failures.length > 0 || this.#signal.aborted) return;
    try {
      const failures = await this.#executor.restoreVanished(this.#signal);
      if (!this.#signal.aborted) for (const { step, error } of failures) this.#reportFailure(step, error);
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
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

/** The reason of the failure is told with the failure itself. */
function skipText({ step, because }: SkipCause): string {
  return because === timeIsUp ? timeIsUp : `${stepNameOf(step)} failed`;
}
