import { Fault } from "../../core/fault/index.ts";
import type { Clock } from "../../core/clock/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { pathOf, type ActionItem, type ActionPreview, type ActionRequest } from "../api/index.ts";
import { ActionList } from "./action-list.ts";
import { proposeAction } from "./propose-action.ts";
import type { ProposedAction } from "./proposed-action.ts";

/** Who acts, and where. */
export type ActingVisitor = {
  /** Tells visitors apart; the same one has it in every session. */
  readonly key: string;
  /** The name by which others learn who is at work. */
  readonly user: string;
  readonly context: string;
  readonly cluster: Cluster;
  /** Keeps the cluster open while an action runs, though the session ends; the returned function lets it go. */
  readonly hold?: () => () => void;
};

type ActionRunnerOptions = {
  readonly clock: Clock;
  /** The identity of one run, as the holder of Leases. Never the same twice. */
  readonly identityFor: (user: string) => string;
  /** Whether a holder of a Lease is certainly dead. */
  readonly hasDied: (holder: string) => boolean;
};

/** What was shown is forgotten after this time, or when so many others were shown to the same visitor. */
const proposalMs = 15 * 60_000;
const maxProposals = 5;

type Shown = { readonly proposed: ProposedAction; readonly untilMs: number };

/**
 * Shows what actions are going to do, and runs those that visitors start. A run belongs to no request: it goes on when the page
 * goes away or the visitor signs out, and `finish` waits for it.
 */
export class ActionRunner {
  readonly #options: ActionRunnerOptions;
  readonly #lists = new Map<string, ActionList>();
  readonly #shown = new Map<string, Map<string, Shown>>();
  readonly #running = new Map<Promise<void>, string>();
  readonly #stop = new AbortController();
  #isEnding = false;

  constructor(options: ActionRunnerOptions) {
    this.#options = options;
  }

  /** The titles of the actions that are at work. */
  get running(): readonly string[] {
    return [...this.#running.values()];
  }

  /** The actions of a visitor in a context. */
  listOf(visitor: Pick<ActingVisitor, "key" | "context">): ActionList {
    const key = keyOfPlace(visitor);
    const list = this.#lists.get(key) ?? new ActionList();
    this.#lists.set(key, list);
    return list;
  }

  /** Settles an action, and keeps it until it is started under the same id. */
  async preview(id: string, request: ActionRequest, visitor: ActingVisitor, signal: AbortSignal): Promise<ActionPreview> {
    const proposed = await this.propose(request, visitor, signal);
    this.#keep(id, proposed, visitor);
    return { id, ...proposed.preview };
  }

  propose(request: ActionRequest, { cluster, context }: ActingVisitor, signal: AbortSignal): Promise<ProposedAction> {
    return proposeAction(request, { cluster, context, signal });
  }

  /** Starts what was shown under this id. Asked again, it says how far that is. */
  start(id: string, visitor: ActingVisitor): ActionItem {
    const known = this.listOf(visitor).find(id);
    if (known !== undefined) return known;
    const shown = this.#shown.get(keyOfPlace(visitor))?.get(id);
    if (this.#isEnding)
      throw new Fault("start the action", "the dashboard is about to end: start it again when it is back", { final: true });
    if (shown === undefined || shown.untilMs < this.#options.clock.now())
      throw new Fault("start the action", "what it does was looked at too long ago: look at it again", { final: true });
    this.#shown.get(keyOfPlace(visitor))?.delete(id);
    return this.run(id, shown.proposed, visitor);
  }

  /** Runs an action. */
  run(id: string, proposed: ProposedAction, visitor: ActingVisitor): ActionItem {
    const { clock } = this.#options;
    const { title } = proposed.preview;
    const item: ActionItem = { type: "action", id, title, state: "running", path: pathOf(proposed.view), startedAtMs: clock.now() };
    this.listOf(visitor).put(item);
    const run = this.#toEnd(item, proposed, visitor);
    this.#running.set(run, title);
    void run.finally(() => this.#running.delete(run));
    return item;
  }

  /** Starts nothing more, and resolves when all that runs has ended. What has not ended after the time is stopped in order. */
  async finish(graceMs: number): Promise<void> {
    this.#isEnding = true;
    const cancel = Number.isFinite(graceMs)
      ? this.#options.clock.after(graceMs, () => this.#stop.abort(new Fault("the dashboard ends")))
      : () => {};
    await Promise.all(this.#running.keys());
    cancel();
  }

  async #toEnd(item: ActionItem, { run }: ProposedAction, visitor: ActingVisitor): Promise<void> {
    const { clock, identityFor, hasDied } = this.#options;
    const list = this.listOf(visitor);
    const letGo = visitor.hold?.();
    try {
      const { state, because } = await run({
        signal: this.#stop.signal,
        identity: identityFor(visitor.user),
        hasDied,
        onWaiting: (reason) => list.put(reason === undefined ? item : { ...item, state: "waiting", because: reason }),
      });
      list.put({ ...item, state, because, endedAtMs: clock.now() });
    } finally {
      letGo?.();
    }
  }

  #keep(id: string, proposed: ProposedAction, visitor: ActingVisitor): void {
    const now = this.#options.clock.now();
    const key = keyOfPlace(visitor);
    const shown = new Map([...(this.#shown.get(key) ?? [])].filter(([each, { untilMs }]) => each !== id && untilMs >= now));
    shown.set(id, { proposed, untilMs: now + proposalMs });
    for (const [oldest] of shown) if (shown.size > maxProposals) shown.delete(oldest);
    this.#shown.set(key, shown);
  }
}

function keyOfPlace({ key, context }: Pick<ActingVisitor, "key" | "context">): string {
  return JSON.stringify([key, context]);
}
