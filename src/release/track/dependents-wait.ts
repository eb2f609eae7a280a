import type { Cancel, Clock } from "../../core/clock/index.ts";
import { isApiFault, isForbidden } from "../../kube/index.ts";
import { titleOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { DependentIndex } from "./dependent-index.ts";
import type { OnTrouble } from "./informer-factory.ts";
import type { WaitResult } from "./wait-result.ts";

/** The deleted workload whose dependents are waited for. */
export type DeletedWorkload = {
  readonly ref: ObjectRef;
  /** Empty when it is not known. */
  readonly uid: string;
  readonly timeoutMs?: number;
};

/** How many dependents a reason names. */
const named = 3;

/** A wait until everything that controllers made for a deleted workload is gone. */
export class DependentsWait {
  readonly ended: Promise<WaitResult>;
  readonly #end: (result: WaitResult) => void;
  readonly #cancels: Cancel[] = [];
  #over = false;
  #because = "";

  constructor(
    dependents: DependentIndex,
    { ref, uid, timeoutMs }: DeletedWorkload,
    clock: Clock,
    onReason: (because: string) => void,
    signal: AbortSignal,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<WaitResult>();
    this.ended = promise;
    this.#end = resolve;
    const fail = (error: unknown) => this.#finish(() => reject(error));
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    this.#cancels.push(() => signal.removeEventListener("abort", abort));
    if (timeoutMs !== undefined) this.#add(clock.after(timeoutMs, () => this.cancel(`not gone after ${timeoutMs / 1000} s`)));
    const evaluate = () => {
      if (this.#over || !dependents.isSynced(ref)) return;
      const left = dependents.of(ref, uid);
      if (left.length === 0) return this.#finish(() => resolve({ state: "open", note: "it is gone" }));
      const because = `it is gone, but not ${leftText(left)}`;
      if (because === this.#because) return;
      this.#because = because;
      onReason(because);
    };
    const trouble: OnTrouble = (error, final) => {
      // Who may delete a workload and not list its pods cannot wait for them.
      if (isApiFault(error) && isForbidden(error))
        this.#finish(() => resolve({ state: "open", note: "it is gone; its pods may not be listed" }));
      else if (final) fail(error);
      else onReason(error instanceof Error ? error.message : String(error));
    };
    this.#add(dependents.follow(ref, evaluate, trouble));
    evaluate();
  }

  /** Fails the wait, with its last reason. */
  cancel(why = "given up"): void {
    const because = this.#because === "" ? why : `${why}: ${this.#because}`;
    this.#finish(() => this.#end({ state: "failed", because }));
  }

  #finish(settle: () => void): void {
    if (this.#over) return;
    this.#over = true;
    for (const cancel of this.#cancels) cancel();
    settle();
  }

  #add(cancel: Cancel): void {
    if (this.#over) cancel();
    else this.#cancels.push(cancel);
  }
}

/** Names the pods while there are any: what is above them goes first, which is no news. */
export function leftText(left: readonly KubeObject[]): string {
  const pods = left.filter(({ kind }) => kind === "Pod");
  const titles = (pods.length > 0 ? pods : left).map((object) => titleOf(refOf(object)));
  const rest = titles.length - named;
  return rest > 0 ? `${titles.slice(0, named).join(", ")} and ${rest} more` : titles.join(", ");
}
