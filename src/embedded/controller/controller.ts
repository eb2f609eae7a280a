import type { Clock } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { ApiClient } from "../apiserver/index.ts";
import type { StoreEvent } from "../storage/index.ts";

/** What a controller lives in. */
export type EmbeddedControllerContext = {
  readonly api: ApiClient;
  readonly clock: Clock;
  /** Seeded: the same seed gives the same history. In [0, 1). */
  readonly random: () => number;
  /** Writes a core/v1 Event about an object, or counts up the same one. */
  readonly record: (about: KubeObject, event: { type: "Normal" | "Warning"; reason: string; message: string; source: string }) => void;
  /** Every resource that the cluster has now, custom ones included. */
  readonly resources: () => readonly { readonly resource: string; readonly namespaced: boolean }[];
};

/**
 * Brings the cluster to what its objects ask for, one key at a time.
 *
 * Level-based: `reconcile` is told who, never what happened, and may be called too often. It is synchronous and keeps
 * no state that matters. It answers in how many milliseconds to look again, if at all. A conflict or any other refusal that it
 * throws is tried again with back-off.
 */
export type Controller = {
  readonly name: string;
  /** Which keys a change of a resource concerns. Called in the turn of the write: cheap, and writes nothing. */
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

/** Watches objects by their own key. */
export function enqueueObject(change: StoreEvent): string[] {
  return [namespacedKeyOf(change.object)];
}
