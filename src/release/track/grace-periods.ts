import type { Cancel, Clock } from "../../core/clock/index.ts";
import { noStatusMs, progressingBecause, readyWith, type Health, type NoRoom } from "../../health/index.ts";

/** The health after that time. */
export function assumedReady(because: string, afterMs = noStatusMs): Health {
  return readyWith(`${because}${afterMs === 0 ? ", as before" : ` after ${afterMs / 1000} s`}; taken as ready`);
}

/** Operators report transient errors while they start, so a custom resource must stay failed this long. */
const transientMs = 5_000;
/** How long pods may be unschedulable by default: a node that starts or an autoscaler may still make room. */
export const defaultSchedulingTimeoutMs = 120_000;
/**
 * After a pod of the workload is gone, its resources are free, but the scheduler retries an unschedulable pod only
 * within ten seconds, and a controller that was denied pods retries later.
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

export type GraceOptions = {
  /** How long pods may be unschedulable before that is a failure. Default two minutes. */
  readonly schedulingTimeoutMs?: number | undefined;
  /** How long to wait for a status that is understood. Default `noStatusMs`. */
  readonly statusTimeoutMs?: number | undefined;
};

/** Holds back a failure that may be transient: it counts as progressing until its grace period is over, and is evaluated again then. */
export class GracePeriods {
  readonly #clock: Clock;
  readonly #evaluate: () => void;
  readonly #statusTimeoutMs: number;
  readonly #transient: Debounce;
  readonly #noStatus: Debounce;
  readonly #unschedulable: Debounce;
  #room: { readonly until: number; readonly cancel: Cancel } | undefined;
  #madeRoom = false;

  constructor(
    clock: Clock,
    evaluate: () => void,
    { schedulingTimeoutMs = defaultSchedulingTimeoutMs, statusTimeoutMs = noStatusMs }: GraceOptions = {},
  ) {
    this.#statusTimeoutMs = statusTimeoutMs;
    this.#clock = clock;
    this.#evaluate = evaluate;
    this.#unschedulable = new Debounce(clock, schedulingTimeoutMs, evaluate);
    this.#transient = new Debounce(clock, transientMs, evaluate);
    this.#noStatus = new Debounce(clock, statusTimeoutMs, evaluate);
  }

  apply(health: Health, { makesRoom, isCustom, hasDeadline }: GraceFacts): Health {
    if (health.state === "ready") return health;
    this.#noteRoom(makesRoom());
    if (health.state !== "failed") this.#transient.end();
    if (health.state !== "failed" || health.noRoom !== "unscheduled") this.#unschedulable.end();
    if (health.state !== "progressing" || health.silent !== true) this.#noStatus.end();
    if (health.state === "progressing" && health.silent === true && this.#noStatus.isOver())
      return assumedReady(health.because, this.#statusTimeoutMs);
    if (health.state !== "failed") return health;
    const early = (isCustom && !this.#transient.isOver()) || (health.noRoom !== undefined && this.#mayFindRoom(health.noRoom, hasDeadline));
    return early ? progressingBecause(health.because) : health;
  }

  end(): void {
    this.#transient.end();
    this.#noStatus.end();
    this.#unschedulable.end();
    this.#room?.cancel();
  }

  #noteRoom(makesRoom: boolean): void {
    if (!makesRoom && !this.#madeRoom) return;
    this.#madeRoom = makesRoom;
    this.#room?.cancel();
    this.#room = { until: this.#clock.now() + roomMs, cancel: this.#clock.after(roomMs, this.#evaluate) };
  }

  /** A controller that was denied pods backs off up to 15 minutes, so with a progress deadline only that counts. */
  #mayFindRoom(noRoom: NoRoom, hasDeadline: boolean): boolean {
    if (noRoom === "unscheduled" && !this.#unschedulable.isOver()) return true;
    if (this.#room === undefined) return false;
    return (noRoom === "denied" && hasDeadline) || this.#clock.now() < this.#room.until;
  }
}

/** A condition that must persist for a while before it counts. */
class Debounce {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #evaluate: () => void;
  #cancel: Cancel | undefined;
  #over = false;

  constructor(clock: Clock, ms: number, evaluate: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#evaluate = evaluate;
  }

  /** The time starts with the first call. */
  isOver(): boolean {
    if (this.#ms === 0) return true;
    this.#cancel ??= this.#clock.after(this.#ms, () => {
      this.#over = true;
      this.#evaluate();
    });
    return this.#over;
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#over = false;
  }
}
