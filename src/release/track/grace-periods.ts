import type { Cancel, Clock } from "../../core/clock/index.ts";
import { progressingBecause, readyWith, type Health, type NoRoom } from "../../health/index.ts";

/** How long a custom resource is waited for whose status says nothing that is understood, or that has none. */
export const noStatusMs = 30_000;

/** What comes of it then. */
export function assumedReady(because: string): Health {
  return readyWith(`${because} after ${noStatusMs / 1000} s; taken as ready`);
}

/** Operators report passing errors while they start; a custom resource's failure has to last this long. */
const passingMs = 5_000;
/**
 * After a pod of the workload has gone, its place is free, but whoever waits for it may not have heard: the scheduler tries
 * a pod that did not fit again within ten seconds. Where no pod has gone, a lack of room is a failure at once.
 */
const roomMs = 15_000;

/** What there is to know of whom a judgement is about. */
export type GraceFacts = {
  /** Pods of it are on their way out, or will be. */
  readonly makesRoom: () => boolean;
  /** An operator speaks for it. */
  readonly isCustom: boolean;
  /** Its controller gives up by itself when it gets nowhere. */
  readonly hasDeadline: boolean;
};

/** Takes the edge off a judgement that may not last: what is said too early is a reason to wait, and is looked at again. */
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

  /** A controller that was denied pods tries ever more seldom, up to a quarter of an hour apart: where there is a deadline, that counts. */
  #mayFindRoom(noRoom: NoRoom, hasDeadline: boolean): boolean {
    if (this.#room === undefined) return false;
    return (noRoom === "denied" && hasDeadline) || this.#clock.now() < this.#room.until;
  }
}

/** Something that has to last for a while before it counts. */
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

  /** Begins with the first question. */
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
