import { Fault } from "../../core/fault/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Action, ApplyAction } from "../plan/index.ts";
import { mayRecreate, type Recreate } from "../track/index.ts";
import { failureText } from "./apply-object.ts";

type AwaitAction = Extract<Action, { verb: "await" }>;

/** Knows how each wanted object is applied again when it is deleted while it is waited for. */
export class Recreations {
  readonly #onDeleted: ((ref: ObjectRef) => void) | undefined;
  /** The last apply of each object. */
  readonly #applied = new Map<string, ApplyAction>();
  /** The applies that run. Several waits may follow one object. */
  readonly #running = new Map<string, Promise<KubeObject>>();

  constructor(onDeleted: ((ref: ObjectRef) => void) | undefined) {
    this.#onDeleted = onDeleted;
  }

  /** The object is wanted, as this action applied it. */
  applied(action: ApplyAction): void {
    this.#applied.set(keyOf(action.ref), action);
  }

  /** The object is not wanted any more. */
  deleted({ ref }: { readonly ref: ObjectRef }): void {
    this.#applied.delete(keyOf(ref));
  }

  /** The last apply of an object; undefined when there was none, or it was deleted since. */
  lastApplyOf(ref: ObjectRef): ApplyAction | undefined {
    return this.#applied.get(keyOf(ref));
  }

  /** Applies the object of a wait again. Undefined when it is not to be created again. */
  of({ ref, gates, external, recreate }: AwaitAction, apply: (action: ApplyAction) => Promise<KubeObject>): Recreate | undefined {
    const key = keyOf(ref);
    const action = external ? undefined : (this.#applied.get(key) ?? recreate);
    if (action === undefined || !mayRecreate(action.manifest, gates)) return undefined;
    return async () => {
      if (this.#onDeleted !== undefined) return this.#refuse(ref, this.#onDeleted);
      const running = this.#running.get(key) ?? applyAgain(action, apply).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
      return running;
    };
  }

  #refuse(ref: ObjectRef, onDeleted: (ref: ObjectRef) => void): never {
    onDeleted(ref);
    throw new Fault("it was deleted while it was waited for");
  }
}

async function applyAgain(action: ApplyAction, apply: (action: ApplyAction) => Promise<KubeObject>): Promise<KubeObject> {
  const { deleting: _gone, ...rest } = action;
  try {
    return await apply({ ...rest, change: "created", replace: false });
  } catch (error) {
    throw new Fault(`it was deleted and cannot be created again: ${failureText(error, action)}`);
  }
}
