import type { Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { Quarantine } from "./quarantine.ts";
import { TaskEnded, type IsolatedTask, type TaskRunner } from "./task.ts";

/** How items become tasks. Messages and turns are those of one owner. */
type BatchOptions<Item, Result> = Pick<IsolatedTask, "handler" | "owner" | "subject" | "title"> & {
  readonly tasks: TaskRunner;
  readonly clock: Clock;
  /** What an item is about, which is set aside when it ends a worker. */
  readonly keyOf: (item: Item) => string;
  readonly sizeOf: (item: Item) => number;
  /** The input of one task. */
  readonly inputOf: (items: readonly Item[]) => unknown;
  /** The results of its items. */
  readonly read: (output: unknown) => readonly Result[];
};

/** What became of an item. `paused`: it was not tried, because others have ended too many workers. */
export type BatchOutcome<Result> =
  | { readonly state: "done"; readonly result: Result }
  | { readonly state: "failed"; readonly message: string; readonly retryAt: number }
  | { readonly state: "paused" };

/** The items of one task. Many small ones cost as much as a few. */
export const maxBatchItems = 100;
const maxBytes = 2 ** 20;
/** How many items in a row may end a worker before nothing is run for a while. */
const maxEnded = 3;
/** When to try again what has failed for another reason than a limit. */
const retryMs = 10_000;

/**
 * Runs many small items in few tasks. When a worker ends, what it had is run again, each item alone, so that one item costs the
 * others nothing. Three in a row pause everything, longer each time.
 */
export class BatchRunner<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  readonly #quarantine: Quarantine;
  #pause: { readonly until: number; readonly message: string } | undefined;
  #endedInARow = 0;

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
    this.#quarantine = new Quarantine(options.clock);
  }

  /** Until when nothing is run, and why: `set aside until …: …`. Undefined when items are run. */
  get pause(): { readonly until: number; readonly message: string } | undefined {
    return this.#pause;
  }

  /** Runs items in their order, and calls back with what became of each. Without any, one task is run with none. */
  async run(items: readonly Item[], onOutcome: (item: Item, outcome: BatchOutcome<Result>) => void, signal: AbortSignal): Promise<void> {
    for (let from = 0; ;) {
      const batch = this.#batchAt(items, from);
      await this.#runBatch(batch, onOutcome, signal);
      from += batch.length;
      if (from >= items.length || signal.aborted) return;
    }
  }

  /** As many items as one task may have, at least one if there are any. */
  #batchAt(items: readonly Item[], from: number): readonly Item[] {
    let bytes = 0;
    const most = items.slice(from, from + maxBatchItems);
    const beyond = most.findIndex((item) => (bytes += this.#options.sizeOf(item)) > maxBytes);
    return beyond < 0 ? most : most.slice(0, Math.max(beyond, 1));
  }

  async #runBatch(batch: readonly Item[], onOutcome: (item: Item, outcome: BatchOutcome<Result>) => void, signal: AbortSignal) {
    if (batch.length !== 1 && !this.#isPaused())
      try {
        for (const [index, result] of (await this.#runTask(batch, "", signal)).entries())
          onOutcome(batch[index]!, { state: "done", result });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (batch.length === 0) this.#pauseAfter(error);
      }
    // Of several, one may be to blame.
    for (const item of batch) {
      const outcome = this.#isPaused() ? ({ state: "paused" } as const) : await this.#runAlone(item, signal);
      if (signal.aborted) return;
      onOutcome(item, outcome);
    }
  }

  async #runAlone(item: Item, signal: AbortSignal): Promise<BatchOutcome<Result>> {
    try {
      const [result] = await this.#runTask([item], this.#options.keyOf(item), signal);
      return { state: "done", result: result! };
    } catch (error) {
      const isHeld = error instanceof TaskEnded && error.isHeld;
      if (!isHeld && !signal.aborted && ++this.#endedInARow >= maxEnded) this.#pauseAfter(error);
      return { state: "failed", message: textOf(error), retryAt: this.retryTimeOf(error) };
    }
  }

  async #runTask(items: readonly Item[], key: string, signal: AbortSignal): Promise<readonly Result[]> {
    const { tasks, handler, owner, subject, title, inputOf, read } = this.#options;
    const task = { handler, input: inputOf(items), owner, subject: `${subject} ${key}`, title, sparesOwner: true };
    const output = await tasks.run(task, signal);
    if (items.length > 0) this.#resume();
    return read(output);
  }

  #isPaused(): boolean {
    return this.#pause !== undefined && this.#pause.until > this.#options.clock.now();
  }

  #pauseAfter(error: unknown): void {
    const until = Math.max(this.#quarantine.add("", "").until, this.retryTimeOf(error));
    const at = new Date(until).toISOString().replace(/\.\d+Z$/, "Z");
    this.#pause = { until, message: `set aside until ${at}: ${error instanceof TaskEnded ? error.reason : textOf(error)}` };
  }

  #resume(): void {
    this.#endedInARow = 0;
    this.#pause = undefined;
    this.#quarantine.release("");
  }

  /** When to try again what has failed. */
  retryTimeOf(error: unknown): number {
    return error instanceof TaskEnded ? error.retryAt : this.#options.clock.now() + retryMs;
  }
}

function textOf(error: unknown): string {
  return error instanceof Fault ? error.message : String(error);
}
