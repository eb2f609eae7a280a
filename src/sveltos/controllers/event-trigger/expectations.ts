import type { ObjectChange } from "../../../kube/index.ts";
import { keyOf, refOf, type ObjectRef } from "../../../core/object/index.ts";

/**
 * Recognises the changes that our own writes cause, so that they do not requeue anything. The change may arrive before the
 * response to the write. Compare the expectations of the ReplicaSet controller.
 */
export class Expectations {
  /** Writes without a response, and the versions that were observed meanwhile. */
  readonly #writing = new Map<string, string[]>();
  /** Versions that were written and are not observed yet. */
  readonly #expected = new Map<string, string>();

  /** Begins a write. `writeSucceeded` or `writeFailed` must follow. */
  expect(ref: ObjectRef): void {
    this.#writing.set(keyOf(ref), []);
  }

  /** Ends a write. False when another version of the object was observed meanwhile. */
  writeSucceeded(ref: ObjectRef, version: string): boolean {
    const observed = this.#end(ref);
    if (!observed.includes(version)) this.#expected.set(keyOf(ref), version);
    return observed.every((other) => other === version);
  }

  /** Ends a failed write. False when any version of the object was observed meanwhile. */
  writeFailed(ref: ObjectRef): boolean {
    return this.#end(ref).length === 0;
  }

  /** Whether a change is our own write. While a write is under way it is true: `writeSucceeded` decides about the change later. */
  isExpected(change: ObjectChange): boolean {
    const key = keyOf(refOf(change.object));
    const version = versionOf(change);
    const observed = this.#writing.get(key);
    observed?.push(version);
    if (observed !== undefined) return true;
    const expected = this.#expected.get(key);
    this.#expected.delete(key);
    return expected === version;
  }

  #end(ref: ObjectRef): readonly string[] {
    const key = keyOf(ref);
    const observed = this.#writing.get(key) ?? [];
    this.#writing.delete(key);
    return observed;
  }
}

/** The resourceVersion of an object; of a deleted one its uid. */
function versionOf({ type, object: { metadata } }: ObjectChange): string {
  return type === "deleted" ? deletionVersion(metadata.uid) : (metadata.resourceVersion ?? "");
}

export function deletionVersion(uid: string | undefined): string {
  return `gone ${uid ?? ""}`;
}
