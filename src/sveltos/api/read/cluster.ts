import { booleanAt, findCondition, groupVersionOf, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { ClusterId, ClusterType } from "../object-names.ts";
import type { ObjectReference } from "../kind/reference.ts";
import { sveltosClusterSpec, type TokenRequestRenewalOption } from "../kind/sveltos-cluster.ts";
import { readSpecWith, type ReadResult } from "./read-result.ts";

/** A cluster of the fleet: a SveltosCluster or a Cluster of Cluster API. */
export type ManagedCluster = {
  readonly type: ClusterType;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Its status is ready, and it is not being deleted: add-ons may be deployed. */
  readonly ready: boolean;
  /** The connection status is Down. Always false for Cluster API. */
  readonly down: boolean;
  readonly paused: boolean;
  readonly deleting: boolean;
  /** The kubeconfig Secret in the cluster's namespace. Without a key, the first key of the Secret. */
  readonly kubeconfig: { readonly secret: string; readonly key?: string };
  readonly consecutiveFailureThreshold: number;
  /** How the token in its kubeconfig is renewed; undefined: it is not. */
  readonly tokenRenewal?: TokenRequestRenewalOption;
  /** The object itself, for templates: `.Cluster`. */
  readonly object: KubeObject;
};

/** The group of Cluster API, whose `Cluster` objects are clusters of type Capi. */
export const capiGroup = "cluster.x-k8s.io";

/** Whether an object is a SveltosCluster or a Cluster of Cluster API. */
export function isClusterObject({ apiVersion, kind }: KubeObject): boolean {
  const { group } = groupVersionOf(apiVersion);
  return (kind === "SveltosCluster" && group === "lib.projectsveltos.io") || (kind === "Cluster" && group === capiGroup);
}

/** The reference to a cluster in `clusterRefs` and in the statuses of triggers, profiles and sets. */
export function clusterReference({ type, namespace, name }: ClusterId): ObjectReference {
  const [apiVersion, kind] = type === "Capi" ? [`${capiGroup}/v1beta1`, "Cluster"] : ["lib.projectsveltos.io/v1beta1", "SveltosCluster"];
  return { apiVersion, kind, namespace, name };
}

/** The cluster that a reference names; undefined if it names none or another kind. */
export function clusterReferredTo({ kind, namespace = "", name = "" }: ObjectReference): ClusterId | undefined {
  if (name === "" || (kind !== "SveltosCluster" && kind !== "Cluster")) return undefined;
  return { type: kind === "Cluster" ? "Capi" : "Sveltos", namespace, name };
}

/** Reads a SveltosCluster or a Cluster API `Cluster`. */
export function readCluster(object: KubeObject): ReadResult<ManagedCluster> {
  return object.kind === "SveltosCluster" ? readSveltosCluster(object) : { state: "read", value: readCapiCluster(object), refused: [] };
}

export function readSveltosCluster(object: KubeObject): ReadResult<ManagedCluster> {
  return readSpecWith(
    object,
    sveltosClusterSpec,
    ({ kubeconfigName = "", kubeconfigKeyName = "", paused, consecutiveFailureThreshold, tokenRequestRenewalOption }) => ({
      ...commonOf(object, booleanAt(object, "status.ready")),
      type: "Sveltos",
      down: stringAt(object, "status.connectionStatus") === "Down",
      paused,
      kubeconfig: {
        secret: kubeconfigName === "" ? `${object.metadata.name}-sveltos-kubeconfig` : kubeconfigName,
        ...(kubeconfigKeyName !== "" && { key: kubeconfigKeyName }),
      },
      consecutiveFailureThreshold,
      ...(tokenRequestRenewalOption !== undefined && { tokenRenewal: tokenRequestRenewalOption }),
    }),
  );
}

function readCapiCluster(object: KubeObject): ManagedCluster {
  return {
    ...commonOf(object, isControlPlaneUp(object)),
    type: "Capi",
    down: false,
    paused: booleanAt(object, "spec.paused") || object.metadata.annotations?.["cluster.x-k8s.io/paused"] !== undefined,
    kubeconfig: { secret: `${object.metadata.name}-kubeconfig`, key: "value" },
    consecutiveFailureThreshold: 3,
  };
}

/** Cluster API has three forms: a condition, a field of v1beta1 and one of v1beta2. */
function isControlPlaneUp(object: KubeObject): boolean {
  return (
    findCondition(object, "ControlPlaneInitialized", "True") !== undefined ||
    booleanAt(object, "status.controlPlaneReady") ||
    booleanAt(object, "status.initialization.controlPlaneInitialized")
  );
}

function commonOf(
  object: KubeObject,
  ready: boolean,
): Pick<ManagedCluster, "namespace" | "name" | "labels" | "ready" | "deleting" | "object"> {
  const { name, namespace = "", labels = {}, deletionTimestamp } = object.metadata;
  const deleting = deletionTimestamp !== undefined;
  return { namespace, name, labels, ready: ready && !deleting, deleting, object };
}
