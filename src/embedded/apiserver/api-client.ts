import type { KubeObject } from "../../core/object/index.ts";

export type DeleteOptions = {
  /** Default: the kind's own, `background` for nearly all. */
  readonly propagation?: "background" | "foreground" | "orphan";
  /** Default: the kind's own (Pods: their terminationGracePeriodSeconds). */
  readonly graceSeconds?: number;
  /** Only if the object still has this uid and resourceVersion. */
  readonly uid?: string;
  readonly resourceVersion?: string;
};

/**
 * The verbs of the API server as controllers use them: in process, synchronous, and through the same defaulting,
 * admission, validation and managed fields as any request. A resource is named by its group resource: `pods`,
 * `deployments.apps`. A rejected request throws a StatusError.
 */
export type ApiClient = {
  read(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** Sorted by namespace and name; an empty namespace lists all namespaces. */
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** Lists the objects that have `uid` among their owner references. */
  ownedBy(uid: string): readonly { readonly resource: string; readonly object: KubeObject }[];
  /** `manager` owns the fields it sets, as in managedFields. `metadata.generateName` generates the name. */
  create(resource: string, object: KubeObject, manager: string): KubeObject;
  /** Throws a conflict when the object's resourceVersion is set and no longer the latest. Unchanged content writes nothing. */
  update(resource: string, object: KubeObject, manager: string): KubeObject;
  /** Writes the replicas, by the subresource `scale`. */
  updateScale(resource: string, object: KubeObject, manager: string): KubeObject;
  /** Writes only the status. */
  updateStatus(resource: string, object: KubeObject, manager: string): KubeObject;
  /** Starts the deletion: the object is removed at once unless finalizers or a grace period hold it. An absent object is no error. */
  /** Server-side apply by a controller, which takes over conflicting fields. The object must exist. */
  apply(key: string, config: KubeObject, manager: string): KubeObject;
  /** The same for the status alone. */
  applyStatus(key: string, config: KubeObject, manager: string): KubeObject;
  delete(resource: string, namespace: string, name: string, options?: DeleteOptions): void;
};
