import type { Clock } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { ApiClient } from "../apiserver/index.ts";
import type { StoreEvent } from "../storage/index.ts";

/** What the embedded cluster provides to its controllers, as kube-controller-manager's ControllerContext does. */
export type EmbeddedControllerContext = {
  readonly api: ApiClient;
  readonly clock: Clock;
  /** Seeded: the same seed gives the same run. In [0, 1). */
  readonly random: () => number;
  /** Records a core/v1 Event about an object, or increases the count of an equal one. */
  readonly record: (about: KubeObject, event: { type: "Normal" | "Warning"; reason: string; message: string; source: string }) => void;
  /** Every resource that the cluster has now, custom ones included. */
  readonly resources: () => readonly { readonly resource: string; readonly namespaced: boolean }[];
};

/**
 * Reconciles the cluster with its objects, one key at a time.
 *
 * Level-based: `reconcile` gets a key and no event, and may be called too often. It is synchronous and keeps no state
 * that cannot be rebuilt. It returns after how many milliseconds to requeue the key, if at all. A conflict or any other
 * StatusError that it throws requeues the key with back-off.
 */
export type Controller = {
  readonly name: string;
  /** Requeued keys do not keep the clock running. Default false. */
  readonly background?: boolean;
  /** The keys that an event of a resource enqueues. Called during the write: cheap, and writes nothing. */
  readonly watches: Readonly<Record<string, (change: StoreEvent) => Iterable<string>>>;
  readonly reconcile: (key: string) => number | undefined;
};

export type ControllerConstructor = (context: EmbeddedControllerContext) => Controller;

/** The usual key: `namespace/name`. */
export function namespacedKeyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Enqueues the object of the event. */
export function enqueueObject(change: StoreEvent): string[] {
  return [namespacedKeyOf(change.object)];
}
