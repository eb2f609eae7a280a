import type { KubeObject } from "../../core/object/index.ts";
import type { ObjectChange } from "../../kube/index.ts";

/** Objects of one kind as they are now, from their changes. */
export class ObjectStore {
  readonly #objects = new Map<string, KubeObject>();

  /** Takes in a change. */
  readonly change = ({ type, object }: ObjectChange): void => {
    const key = `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
    if (type === "deleted") this.#objects.delete(key);
    else this.#objects.set(key, object);
  };

  get all(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  get first(): KubeObject | undefined {
    return this.#objects.values().next().value;
  }
}
