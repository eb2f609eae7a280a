import type { KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { controllerOf } from "./controller-ref.ts";

/**
 * The objects of one resource that nobody controls, by namespace: what may be adopted.
 *
 * An index, kept from the changes that a controller's queue hands it (all that exist first, then each as it happens),
 * so that looking for orphans costs nothing where there are none.
 */
export class OrphanIndex {
  readonly #namespaces = new Map<string, Map<string, KubeObject>>();

  /** Takes note of a change. Answers the object if it is an orphan now or was one until this change. */
  observe({ type, object, previous }: StoreEvent): KubeObject | undefined {
    const { namespace = "", name } = object.metadata;
    const orphan = controllerOf(object) === undefined;
    const known = this.#namespaces.get(namespace);
    if (type !== "DELETED" && orphan) {
      if (known === undefined) this.#namespaces.set(namespace, new Map([[name, object]]));
      else known.set(name, object);
      return object;
    }
    known?.delete(name);
    if (known?.size === 0) this.#namespaces.delete(namespace);
    return orphan || (previous !== undefined && controllerOf(previous) === undefined) ? object : undefined;
  }

  in(namespace: string): Iterable<KubeObject> {
    return this.#namespaces.get(namespace)?.values() ?? [];
  }
}
