import { equal, type KubeObject } from "../../../core/object/index.ts";

/**
 * What decides whether the mutating plugins see an object a second time, because a webhook has changed it, and which webhooks do.
 *
 * Models apiserver pkg/admission/reinvocation.go and pkg/admission/plugin/webhook/mutating/reinvocationcontext.go
 */
export class Reinvocation {
  round = 0;
  #wanted = false;
  #left: KubeObject | undefined;
  readonly #again = new Set<string>();
  #called = new Set<string>();

  /** Starts the second round if one is wanted. */
  next(): boolean {
    if (!this.#wanted || this.round > 0) return false;
    this.round = 1;
    return true;
  }

  /** The webhooks are about to see the object. */
  begin(object: KubeObject): void {
    if (this.round > 0 && !equal(object, this.#left)) this.#requireAgain();
  }

  /** In the second round only webhooks are called that ask for it, and that saw the object before it was changed. */
  mayCall(id: string): boolean {
    return this.round === 0 || this.#again.has(id);
  }

  called(id: string, { changed, again }: { changed: boolean; again: boolean }): void {
    if (changed) {
      this.#requireAgain();
      this.#wanted = true;
    }
    if (again) this.#called.add(id);
  }

  end(object: KubeObject): void {
    this.#left = object;
  }

  #requireAgain(): void {
    for (const id of this.#called) this.#again.add(id);
    this.#called = new Set();
  }
}
