import { randomBytes } from "node:crypto";
import type { Cancel, Clock } from "../../core/clock/index.ts";
import { ConnectionFault, restart } from "../../kube/index.ts";
import { outageNotice, type View } from "../api/index.ts";
import { LiveView } from "../live-view.ts";
import { runView } from "../run-view.ts";
import type { VisitedCluster } from "./visitor.ts";

/** A view that somebody looks at. */
export type OpenView = {
  readonly live: LiveView;
  /** Tells this run of the view from others of the same path. */
  readonly id: string;
  readonly close: () => void;
};

type RunningView = {
  readonly live: LiveView;
  readonly id: string;
  readonly context: string;
  readonly stop: AbortController;
  readers: number;
  /** Set while nobody looks. */
  cancelDrop: Cancel | undefined;
};

/** A view runs on for this long after the last one has looked away: tabs are reloaded, and connections break. */
const graceMs = 15_000;
/** The views of one visitor. Each may follow many kinds. */
const maxViews = 60;
/** What has failed is tried again, for kubeconfigs are mended and clusters come back. */
const backoff = { firstMs: 2_000, maxMs: 60_000 };

/** The views of one visitor, each of which is run once for all who look at it. */
export class LiveViews {
  readonly #clock: Clock;
  readonly #visit: (context: string) => Promise<VisitedCluster>;
  readonly #running = new Map<string, RunningView>();
  /** Contexts whose clusters do not answer, and what is said of it. */
  readonly #outages = new Map<string, string>();

  constructor(clock: Clock, visit: (context: string) => Promise<VisitedCluster>) {
    this.#clock = clock;
    this.#visit = visit;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Looks at a view. Undefined when too many are open. */
  open(path: string, view: View): OpenView | undefined {
    const running = this.#running.get(path) ?? this.#start(path, view);
    if (running === undefined) return undefined;
    running.readers++;
    running.cancelDrop?.();
    running.cancelDrop = undefined;
    let isOpen = true;
    const close = () => {
      if (isOpen && --running.readers === 0)
        running.cancelDrop = this.#clock.after(graceMs, () => this.#drop(path, running), { background: true });
      isOpen = false;
    };
    return { live: running.live, id: running.id, close };
  }

  /** Says in all views of a context that its cluster does not answer; undefined: it answers again. */
  noticeOutage(context: string, because: string | undefined): void {
    const text =
      because === undefined ? undefined : `The cluster ${context} does not answer. What is shown is as it was before: ${because}`;
    if (this.#outages.get(context) === text) return;
    if (text === undefined) this.#outages.delete(context);
    else this.#outages.set(context, text);
    for (const running of this.#running.values()) {
      if (running.context === context) running.live.notice(outageNotice, text, { isOutage: true });
    }
  }

  close(): void {
    for (const [path, running] of this.#running) this.#drop(path, running);
  }

  #start(path: string, view: View): RunningView | undefined {
    if (this.#running.size >= maxViews) this.#dropUnseen();
    if (this.#running.size >= maxViews) return undefined;
    const id = randomBytes(9).toString("base64url");
    const running = { live: new LiveView(), id, context: view.context, stop: new AbortController(), readers: 0, cancelDrop: undefined };
    this.#running.set(path, running);
    running.live.notice(outageNotice, this.#outages.get(view.context), { isOutage: true });
    void this.#run(view, running);
    return running;
  }

  #dropUnseen(): void {
    const unseen = [...this.#running].find(([, { readers }]) => readers === 0);
    if (unseen !== undefined) this.#drop(...unseen);
  }

  #drop(path: string, running: RunningView): void {
    running.cancelDrop?.();
    running.stop.abort(new Error("nobody looks any more"));
    if (this.#running.get(path) === running) this.#running.delete(path);
  }

  async #run(view: View, { live, stop: { signal } }: RunningView): Promise<void> {
    const visiting = { clock: this.#clock, random: () => 0.5, signal, backoff };
    await restart(visiting, async () => {
      const run = new AbortController();
      try {
        const visited = await this.#visit(view.context);
        signal.throwIfAborted();
        live.notice("view", undefined);
        await runView(view, {
          ...visited,
          publish: live.publish.bind(live),
          notice: live.notice.bind(live),
          signal: AbortSignal.any([signal, run.signal]),
        });
        // What has shown all there is needs no further run.
        await aborted(signal);
      } catch (error) {
        run.abort(error);
        if (signal.aborted) return;
        live.clear();
        live.notice("view", error instanceof Error ? error.message : String(error), { isOutage: error instanceof ConnectionFault });
      }
    });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
