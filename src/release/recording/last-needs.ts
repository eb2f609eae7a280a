import type { Plan, Step } from "../plan/index.ts";

/** The need of a step that was met last. */
type LastNeed = { readonly id: string; readonly because: string };

/** Finds the need whose end let a step start. Joins are passed through: only steps that report their end are needs. */
export class LastNeeds {
  readonly #steps: ReadonlyMap<string, Step>;
  /** By id, when a step has ended: the first is 1. */
  readonly #endedAs = new Map<string, number>();
  /** By the id of a join, the step behind it that has ended last. */
  readonly #behindJoin = new Map<string, string>();
  /** By the id of a step or join, the joins that need it. */
  readonly #joinsAfter = new Map<string, string[]>();

  constructor({ steps }: Plan) {
    this.#steps = new Map(steps.map((step) => [step.id, step]));
    for (const { id, action, needs } of steps) {
      if (action.verb !== "join") continue;
      for (const need of needs) {
        const joins = this.#joinsAfter.get(need.id);
        if (joins === undefined) this.#joinsAfter.set(need.id, [id]);
        else joins.push(id);
      }
    }
  }

  ended(id: string): void {
    this.#endedAs.set(id, this.#endedAs.size + 1);
    const pending = [...(this.#joinsAfter.get(id) ?? [])];
    for (let join = pending.pop(); join !== undefined; join = pending.pop()) {
      if (this.#behindJoin.get(join) === id) continue;
      this.#behindJoin.set(join, id);
      pending.push(...(this.#joinsAfter.get(join) ?? []));
    }
  }

  /** Undefined when the step needs none, or none that has ended. */
  of(id: string): LastNeed | undefined {
    let last: LastNeed | undefined;
    let best = 0;
    for (const need of this.#steps.get(id)?.needs ?? []) {
      const step = this.#behindJoin.get(need.id) ?? need.id;
      const endedAs = this.#endedAs.get(step) ?? 0;
      if (endedAs <= best) continue;
      best = endedAs;
      last = { id: step, because: need.because };
    }
    return last;
  }
}
