import type { Cancel, Clock } from "../../core/clock/index.ts";
import { progressingBecause, readyWith, type Health, type NoRoom } from "../../health/index.ts";

/** How long to wait for a custom resource without a status that is understood. */
export const noStatusMs = 30_000;

/** The health after that time. */
export function assumedReady(because: string): Health {
  return readyWith(`${because} after ${noStatusMs / 1000} s; taken as ready`);
}

/** Operators report transient errors while they start, so a custom resource must stay failed this long. */
const passingMs = 5_000;
/**
 * After a pod of the workload is gone, its resources are free, but the scheduler retries an unschedulable pod only
 * within ten seconds. When no pod has gone, unschedulable is a failure at once.
 */
const roomMs = 15_000;

/** What the grace periods need to know about an object. */
export type GraceFacts = {
  /** Pods of it terminate or will do so. */
  readonly makesRoom: () => boolean;
  /** It is a custom resource of an operator. */
  readonly isCustom: boolean;
  /** Its controller has a progress deadline. */
  readonly hasDeadline: boolean;
};

/** Holds back a failure that may be transient: it counts as progressing until its grace period is over, and is evaluated again then. */
export class GracePeriods {
  readonly #clock: Clock;
  readonly #again: () => void;
  readonly #passing: Debounce;
  readonly #silence: Debounce;
  #room: { readonly until: number; readonly cancel: Cancel } | undefined;
  #madeRoom = false;

  constructor(clock: Clock, again: () => void) {
    this.#clock = clock;
    this.#again = again;
    this.#passing = new Debounce(clock, passingMs, again);
    this.#silence = new Debounce(clock, noStatusMs, again);
  }

  apply(health: Health, { makesRoom, isCustom, hasDeadline }: GraceFacts): Health {
    if (health.state === "ready") return health;
    this.#noteRoom(makesRoom());
    if (health.state !== "failed") this.#passing.end();
    if (health.state !== "progressing" || health.silent !== true) this.#silence.end();
    if (health.state === "progressing" && health.silent === true && this.#silence.isOver()) return assumedReady(health.because);
    if (health.state !== "failed") return health;
    const early = (isCustom && !this.#passing.isOver()) || (health.noRoom !== undefined && this.#mayFindRoom(health.noRoom, hasDeadline));
    return early ? progressingBecause(health.because) : health;
  }

  end(): void {
    this.#passing.end();
    this.#silence.end();
    this.#room?.cancel();
  }

  #noteRoom(makesRoom: boolean): void {
    if (!makesRoom && !this.#madeRoom) return;
    this.#madeRoom = makesRoom;
    this.#room?.cancel();
    this.#room = { until: this.#clock.now() + roomMs, cancel: this.#clock.after(roomMs, this.#again) };
  }

  /** A controller that was denied pods backs off up to 15 minutes, so with a progress deadline only that counts. */
  #mayFindRoom(noRoom: NoRoom, hasDeadline: boolean): boolean {
    if (this.#room === undefined) return false;
    return (noRoom === "denied" && hasDeadline) || this.#clock.now() < this.#room.until;
  }
}

/** A condition that must persist for a while before it counts. */
class Debounce {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #again: () => void;
  #cancel: Cancel | undefined;
  #over = false;

  constructor(clock: Clock, ms: number, again: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#again = again;
  }

  /** The time starts with the first call. */
  isOver(): boolean {
    this.#cancel ??= this.#clock.after(this.#ms, () => {
      this.#over = true;
      this.#again();
    });
    return this.#over;
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#over = false;
  }
}
