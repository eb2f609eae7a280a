import { EventTemplates, IsolatedTemplates, type TextRenderer } from "../../instantiate/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { templateOwnerOf, type ControllerContext } from "../context/index.ts";

/** Renders the names of the EventSources of triggers, which may be templates: in workers if there are any, and otherwise here. */
export class EventSourceNames {
  readonly #context: Pick<ControllerContext, "cache" | "environment" | "eventTasks" | "hub">;
  readonly #here: EventTemplates;
  readonly #onRendered: (trigger: string) => void;
  readonly #signal: AbortSignal;
  readonly #isolated = new Map<string, IsolatedTemplates>();

  /** `onRendered` is called with the key of a trigger whose names are known, or may be tried again. */
  constructor(
    context: Pick<ControllerContext, "cache" | "environment" | "eventTasks" | "hub">,
    onRendered: (trigger: string) => void,
    signal: AbortSignal,
  ) {
    this.#context = context;
    this.#here = new EventTemplates(context.environment);
    this.#onRendered = onRendered;
    this.#signal = signal;
  }

  templatesOf(key: string, trigger: KubeObject): TextRenderer {
    const { eventTasks: tasks, hub } = this.#context;
    if (tasks === undefined) return this.#here;
    const { owner, title } = templateOwnerOf(trigger, this.#context);
    let isolated = this.#isolated.get(key);
    if (isolated?.owner !== owner) {
      const options = { tasks, clock: hub.clock, owner, subject: `${title} spec.eventSourceName`, title, onRendered: () => {} };
      this.#isolated.set(key, (isolated = new IsolatedTemplates(options, this.#signal)));
    }
    return isolated;
  }

  /** Renders what `templatesOf` was asked for, and calls back. */
  renderPending(key: string): void {
    const isolated = this.#isolated.get(key);
    if (isolated?.isIdle === true) void this.#render(key, isolated);
  }

  forget(key: string): void {
    this.#isolated.delete(key);
  }

  async #render(key: string, isolated: IsolatedTemplates): Promise<void> {
    // All triggers and clusters that one change is about are asked for in the same turn.
    await Promise.resolve();
    if (!isolated.isIdle || (await isolated.renderPending(Infinity)) !== "rendered") return;
    const isCurrent = () => this.#isolated.get(key) === isolated && !this.#signal.aborted;
    if (!isCurrent()) return;
    const { retryAt } = isolated;
    this.#onRendered(key);
    if (retryAt === undefined) return;
    const { clock } = this.#context.hub;
    clock.after(
      Math.max(retryAt - clock.now(), 0) + 1,
      () => {
        isolated.forget();
        if (isCurrent()) this.#onRendered(key);
      },
      { background: true },
    );
  }
}
