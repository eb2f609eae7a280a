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
 * The API server's verbs as controllers use them: in process and synchronous, through the same defaults, admission,
 * validation and ownership of fields as any request. A resource is named as Kubernetes joins group and plural: `pods`,
 * `deployments.apps`. A refusal is thrown.
 */
export interface ApiClient {
  read(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** Sorted by namespace and name; an empty namespace means all of them. */
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** What names `uid` as an owner. */
  ownedBy(uid: string): readonly { readonly resource: string; readonly object: KubeObject }[];
  /** `manager` owns the fields it sets, as in managedFields. `metadata.generateName` makes the name. */
  create(resource: string, object: KubeObject, manager: string): KubeObject;
  /** Refused with a conflict when the object's resourceVersion is set and no longer the latest. Unchanged content writes nothing. */
  update(resource: string, object: KubeObject, manager: string): KubeObject;
  /** Writes the status alone. */
  updateStatus(resource: string, object: KubeObject, manager: string): KubeObject;
  /** Starts the deletion: the object goes at once unless finalizers or a grace period keep it. Absent objects are no error. */
  delete(resource: string, namespace: string, name: string, options?: DeleteOptions): void;
}
