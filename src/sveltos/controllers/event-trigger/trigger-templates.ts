import { EventTemplates, IsolatedTemplates, type TextRenderer } from "../../instantiate/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import { templateOwnerOf, type ControllerContext } from "../context/index.ts";
import type { TriggerDecision } from "./decide-trigger.ts";
import { triggerIdentity, type PairKey } from "./trigger-key.ts";

/** How long a pair waits for its templates. A lane has few workers, and others need them. */
const waitMs = 500;
/** A name may lead to a template, which has a name in it: this many times at most at once. */
const maxRounds = 10;

/** Renders the templates of triggers: in workers if there are any, and otherwise here. */
export class TriggerTemplates {
  readonly #context: ControllerContext;
  readonly #here: EventTemplates;
  readonly #enqueue: (key: PairKey) => void;
  /** By the identity of a pair's key. */
  readonly #isolated = new Map<string, IsolatedTemplates>();

  /** `enqueue` is called for a pair whose templates have taken longer than it has waited. */
  constructor(context: ControllerContext, enqueue: (key: PairKey) => void) {
    this.#context = context;
    this.#here = new EventTemplates(context.environment);
    this.#enqueue = enqueue;
  }

  /** Decides as often as it takes to know all texts, or until they take too long: then what needs them stays as it is. */
  async decide(
    key: PairKey,
    trigger: KubeObject | undefined,
    decide: (templates: TextRenderer) => TriggerDecision,
    signal: AbortSignal,
  ): Promise<TriggerDecision> {
    const isolated = trigger && this.#isolatedFor(key, trigger, signal);
    if (isolated === undefined) {
      this.#isolated.delete(triggerIdentity(key));
      return decide(this.#here);
    }
    for (let round = 1; ; round++) {
      const decision = decide(isolated);
      if (decision.isPending !== true) return this.#decided(key, decision);
      if ((await isolated.renderPending(waitMs)) === "later") return decision;
      if (round < maxRounds) continue;
      this.#enqueue(key);
      return decision;
    }
  }

  #decided(key: PairKey, decision: TriggerDecision): TriggerDecision {
    if (decision.result?.matching === false) this.#isolated.delete(triggerIdentity(key));
    return decision;
  }

  /** The result of a pair that has been decided and written. What is set aside is tried again when its time has come. */
  resultOf(key: PairKey): ReconcileResult {
    const isolated = this.#isolated.get(triggerIdentity(key));
    const retryAt = isolated?.retryAt;
    if (isolated?.isIdle === true) isolated.forget();
    if (retryAt === undefined) return reconciled;
    return { settled: false, requeueAfterMs: Math.max(retryAt - this.#context.hub.clock.now(), 0) + 1 };
  }

  #isolatedFor(key: PairKey, trigger: KubeObject, signal: AbortSignal): IsolatedTemplates | undefined {
    const { eventTasks: tasks, hub } = this.#context;
    if (tasks === undefined) return undefined;
    const id = triggerIdentity(key);
    const { owner, title } = templateOwnerOf(trigger, this.#context);
    const known = this.#isolated.get(id);
    if (known?.owner === owner) return known;
    const options = { tasks, clock: hub.clock, owner, subject: `${title} ${id}`, title, onRendered: () => this.#enqueue(key) };
    const isolated = new IsolatedTemplates(options, signal);
    this.#isolated.set(id, isolated);
    return isolated;
  }
}
