import type { Step } from "../plan/index.ts";
import type { Cancellable } from "./step-run.ts";
import { handlesFailure } from "./step-subject.ts";

/** Why a step is not begun any more. */
export const timeIsUp = "the time is up";

/** The steps that run now, and what cancels them. */
export class RunningSteps {
  readonly #begun = new Set<Step>();
  readonly #cancellables = new Map<Step, Cancellable>();
  /** Waits with fail mode `hope` that have failed. They go on while other steps run. */
  readonly #hopeless = new Set<Step>();
  #timedOut = false;

  get count(): number {
    return this.#begun.size;
  }

  get isTimedOut(): boolean {
    return this.#timedOut;
  }

  /** Whether there are steps, and all are waits with fail mode `hope` that have failed. */
  get isHopeless(): boolean {
    return this.#hopeless.size > 0 && this.#hopeless.size === this.#begun.size;
  }

  begin(step: Step): void {
    this.#begun.add(step);
  }

  end(step: Step): void {
    this.#begun.delete(step);
    this.release(step);
  }

  /** What cancels the step from now on. After the time-out it is cancelled at once. */
  hold(step: Step, cancellable: Cancellable): void {
    this.#cancellables.set(step, cancellable);
    if (this.#timedOut && !handlesFailure(step)) cancellable.cancel(timeIsUp);
  }

  /** There is nothing to cancel any more. */
  release(step: Step): void {
    this.#cancellables.delete(step);
    this.#hopeless.delete(step);
  }

  setHopeless(step: Step, hopeless: boolean): void {
    if (hopeless) this.#hopeless.add(step);
    else this.#hopeless.delete(step);
  }

  cancelHopeless(): void {
    for (const step of this.#hopeless) this.#cancellables.get(step)?.cancel();
  }

  /** Cancels what is unfinished. Steps that handle a failure still start, and records are written to the end. */
  timeOut(timeoutMs: number): void {
    this.#timedOut = true;
    for (const [step, cancellable] of this.#cancellables) {
      if (!handlesFailure(step) && step.action.verb !== "record") cancellable.cancel(`${timeIsUp} after ${timeoutMs / 1000} s`);
    }
  }

  cancelAll(): void {
    for (const cancellable of this.#cancellables.values()) cancellable.cancel(timeIsUp);
  }
}
