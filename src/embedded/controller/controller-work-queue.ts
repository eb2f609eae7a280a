import type { Cancel, Clock } from "../../core/clock/index.ts";
import type { ObjectStorage, StoredObject } from "../storage/index.ts";
import { isStatusError } from "../status-error.ts";
import { PendingWebhooks, Replay, type WebhookRunner } from "../webhook/index.ts";
import type { Controller } from "./controller.ts";

/** The latency from a write to the controller: that of the watch and the queue of a real control plane. */
const latencyMs = 2;

const firstBackoffMs = 5;
const longestBackoffMs = 60_000;

/** Runs one controller: collects the keys that events enqueue and reconciles each once, a moment later. */
export class ControllerWorkQueue {
  readonly #controller: Controller;
  readonly #clock: Clock;
  readonly #dirty = new Set<string>();
  readonly #delayed = new Map<string, { at: number; cancel: Cancel }>();
  readonly #failures = new Map<string, number>();
  /** Keys whose reconciliation waits for webhooks. */
  readonly #replays = new Map<string, Replay>();
  readonly #runner: WebhookRunner | undefined;
  #scheduled: Cancel | undefined;
  #stopped = false;

  /** `runner` runs reconciliations that webhooks take part in. Default: none do. */
  constructor(controller: Controller, clock: Clock, runner?: WebhookRunner) {
    this.#runner = runner;
    this.#controller = controller;
    this.#clock = clock;
  }

  /** Starts to watch; existing objects count as just added. */
  start(store: ObjectStorage): Cancel {
    const { watches } = this.#controller;
    const cancels = Object.entries(watches).map(([resource, keysOf]) => {
      for (const stored of resource === "*" ? store.all() : storedOf(store, resource))
        for (const key of keysOf({ type: "ADDED", ...stored, revision: store.revision })) this.add(key);
      return store.subscribe(resource, (change) => {
        for (const key of keysOf(change)) this.add(key);
      });
    });
    return () => {
      this.#stopped = true;
      for (const cancel of cancels) cancel();
      this.#scheduled?.();
      for (const { cancel } of this.#delayed.values()) cancel();
    };
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#dirty.add(key);
    this.#scheduled ??= this.#clock.after(latencyMs, () => this.#drain());
  }

  #addAfter(key: string, ms: number): void {
    const at = this.#clock.now() + ms;
    const planned = this.#delayed.get(key);
    if (planned !== undefined && planned.at <= at) return;
    planned?.cancel();
    const { background = false } = this.#controller;
    const requeue = () => {
      this.#delayed.delete(key);
      this.add(key);
    };
    const cancel = this.#clock.after(ms, requeue, { background });
    this.#delayed.set(key, { at, cancel });
  }

  #drain(): void {
    this.#scheduled = undefined;
    const keys = [...this.#dirty];
    this.#dirty.clear();
    for (const key of keys) if (!this.#stopped) this.#reconcile(key);
  }

  #reconcile(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
    try {
      const requeueAfterMs = this.#run(key);
      this.#failures.delete(key);
      if (requeueAfterMs !== undefined) this.#addAfter(key, requeueAfterMs);
    } catch (error) {
      if (error instanceof PendingWebhooks) {
        const replay = this.#replays.get(key);
        if (replay !== undefined) void error.answered(replay).then(() => this.add(key));
        return;
      }
      if (!isStatusError(error)) throw error;
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      this.#addAfter(key, Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs));
    }
  }

  /** Reconciles a key, from the start again when webhooks that it waited for have answered. */
  #run(key: string): number | undefined {
    if (this.#runner === undefined) return this.#controller.reconcile(key);
    const replay = this.#replays.get(key) ?? new Replay();
    this.#replays.delete(key);
    try {
      return this.#runner.run(replay, () => this.#controller.reconcile(key));
    } catch (error) {
      if (error instanceof PendingWebhooks) this.#replays.set(key, replay);
      throw error;
    }
  }
}

function storedOf(store: ObjectStorage, resource: string): readonly StoredObject[] {
  return store.list(resource).map((object) => ({ resource, object }));
}
