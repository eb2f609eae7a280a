import { Fault } from "../../core/fault/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { ApplyAction, AwaitAction } from "../plan/index.ts";
import { mayRecreate, type Recreate } from "../track/index.ts";
import { failureText, type ApplyContext } from "./apply-object.ts";

/** Knows how each wanted object is applied again when it is deleted while it is waited for. */
export class Recreations {
  readonly #context: ApplyContext;
  readonly #onDeleted: ((ref: ObjectRef) => void) | undefined;
  /** The last apply of each object; undefined when it was deleted since. */
  readonly #applied = new Map<string, ApplyAction | undefined>();
  /** The applies that run. Several waits may follow one object. */
  readonly #running = new Map<string, Promise<KubeObject>>();

  constructor(context: ApplyContext, onDeleted: ((ref: ObjectRef) => void) | undefined) {
    this.#context = context;
    this.#onDeleted = onDeleted;
  }

  /** The object is wanted, as this action applied it. */
  applied(action: ApplyAction): void {
    this.#applied.set(keyOf(action.ref), action);
  }

  /** The object is not wanted any more. */
  deleted({ ref }: { readonly ref: ObjectRef }): void {
    this.#applied.set(keyOf(ref), undefined);
  }

  /** How the object of a wait is applied again. Undefined when it is not to be created again. */
  applyOf({ ref, gates, external, recreate }: AwaitAction): ApplyAction | undefined {
    const key = keyOf(ref);
    const action = external ? undefined : this.#applied.has(key) ? this.#applied.get(key) : recreate;
    return action === undefined || !mayRecreate(action.manifest, gates) ? undefined : action;
  }

  /** Applies the object of a wait again. Undefined when it is not to be created again. */
  of(awaited: AwaitAction, apply: (action: ApplyAction, uid: string) => Promise<KubeObject>): Recreate | undefined {
    const { ref } = awaited;
    const key = keyOf(ref);
    const action = this.applyOf(awaited);
    if (action === undefined) return undefined;
    return async (uid) => {
      if (this.#onDeleted !== undefined) return this.#refuse(ref, this.#onDeleted);
      const running =
        this.#running.get(key) ?? this.#applyAgain(action, (again) => apply(again, uid)).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
      return running;
    };
  }

  #refuse(ref: ObjectRef, onDeleted: (ref: ObjectRef) => void): never {
    onDeleted(ref);
    throw new Fault("it was deleted while it was waited for");
  }

  async #applyAgain(action: ApplyAction, apply: (action: ApplyAction) => Promise<KubeObject>): Promise<KubeObject> {
    const { deleting: _gone, ...rest } = action;
    try {
      return await apply({ ...rest, change: "created", replace: false });
    } catch (error) {
      throw new Fault(`it was deleted and cannot be created again: ${failureText(error, action, this.#context)}`);
    }
  }
}
