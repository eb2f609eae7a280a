import type { KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { controllerOf } from "./controller-ref.ts";

/**
 * The objects of one resource without a controller, by namespace: the candidates for adoption.
 *
 * An index over the events of a controller's work queue (existing objects first, then each event), so that a namespace
 * without orphans costs nothing.
 */
export class OrphanIndex {
  readonly #namespaces = new Map<string, Map<string, KubeObject>>();

  /** Indexes an event. Returns the object if it is an orphan or was one before this event. */
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
