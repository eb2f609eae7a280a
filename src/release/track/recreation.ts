import type { Cancel, Clock } from "../../core/clock/index.ts";
import { stringAt, valueAt, type KubeObject } from "../../core/object/index.ts";
import type { Gate } from "../order/index.ts";

/** What is reported of an object that somebody has deleted during the run. */
export const recreationText = "it was deleted; it is created again";

/** Applies an object again, in the place of the one with this uid, and returns it as the API server answered. */
export type Recreate = (uid: string) => Promise<KubeObject>;

/** The pause before an object is created for the third time; it doubles. Something else may want it gone. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Whether an object that is deleted while it is waited for is to be created again. A Job that the cluster deletes when it
 * has finished may have run to its end unseen: it is not run twice.
 */
export function mayRecreate(manifest: KubeObject, gates: readonly Gate[]): boolean {
  if (gates.some(({ until }) => until === "absent")) return false;
  return manifest.kind !== "Job" || valueAt(manifest, "spec.ttlSecondsAfterFinished") === undefined;
}

/** Whether an object that was ready may have run to its end, so that its absence is no loss. */
export function runsToItsEnd(manifest: KubeObject): boolean {
  if (manifest.kind === "Pod") return stringAt(manifest, "spec.restartPolicy", "Always") !== "Always";
  return manifest.kind === "Job";
}

/** Creates an object again each time it was deleted: the first time at once, then with pauses. */
export class Recreation {
  readonly #clock: Clock;
  readonly #recreate: Recreate;
  #pauseMs = 0;
  #cancel: Cancel | undefined;
  #running = false;

  constructor(clock: Clock, recreate: Recreate) {
    this.#clock = clock;
    this.#recreate = recreate;
  }

  /** Whether it is being created again. */
  get isRunning(): boolean {
    return this.#running;
  }

  start(uid: string, onApplied: (object: KubeObject) => void, onFailed: (error: unknown) => void): void {
    this.#running = true;
    const run = async () => {
      try {
        const object = await this.#recreate(uid);
        this.#running = false;
        onApplied(object);
      } catch (error) {
        onFailed(error);
      }
    };
    if (this.#pauseMs === 0) void run();
    else this.#cancel = this.#clock.after(this.#pauseMs, () => void run());
    this.#pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, this.#pauseMs * 2));
  }

  end(): void {
    this.#cancel?.();
  }
}
