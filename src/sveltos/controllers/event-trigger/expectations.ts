import type { ObjectChange } from "../../../kube/index.ts";
import { keyOf, refOf, type ObjectRef } from "../../../core/object/index.ts";

/**
 * Tells what comes back of our own writes from what others do, so that a write is no reason to look again. News of a
 * write may come before its answer.
 */
export class Expectations {
  /** What is being written, and what was heard of it meanwhile. */
  readonly #writing = new Map<string, string[]>();
  /** What was written and not heard of yet. */
  readonly #awaited = new Map<string, string>();

  /** Announces a write. Each is followed by `wrote` or `failed`. */
  expect(ref: ObjectRef): void {
    this.#writing.set(keyOf(ref), []);
  }

  /** The write has been answered. False when more was heard of the object than the write. */
  writeSucceeded(ref: ObjectRef, mark: string): boolean {
    const heard = this.#end(ref);
    if (!heard.includes(mark)) this.#awaited.set(keyOf(ref), mark);
    return heard.every((other) => other === mark);
  }

  /** The write has not come about. False when something was heard of the object meanwhile. */
  writeFailed(ref: ObjectRef): boolean {
    return this.#end(ref).length === 0;
  }

  /** Tells whether a change is a write of ours, or will be judged when the write that is under way has been answered. */
  isExpected(change: ObjectChange): boolean {
    const key = keyOf(refOf(change.object));
    const mark = versionOf(change);
    const heard = this.#writing.get(key);
    heard?.push(mark);
    if (heard !== undefined) return true;
    const awaited = this.#awaited.get(key);
    this.#awaited.delete(key);
    return awaited === mark;
  }

  #end(ref: ObjectRef): readonly string[] {
    const key = keyOf(ref);
    const heard = this.#writing.get(key) ?? [];
    this.#writing.delete(key);
    return heard;
  }
}

/** What tells one state of an object from another. */
function versionOf({ type, object: { metadata } }: ObjectChange): string {
  return type === "deleted" ? deletionVersion(metadata.uid) : (metadata.resourceVersion ?? "");
}

export function deletionVersion(uid: string | undefined): string {
  return `gone ${uid ?? ""}`;
}
