import { equal, type KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import type { ControllerConstructor, EmbeddedControllerContext } from "../controller.ts";

const writer = "kube-controller-manager";
const rootCa = "kube-root-ca.crt";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/**
 * Creates the ServiceAccount `default` and the ConfigMap with the root certificate in every namespace. Models
 * pkg/controller/serviceaccount/serviceaccounts_controller.go and pkg/controller/certificates/rootcacertpublisher
 */
export function serviceAccountController({ certificate }: { certificate: string }): ControllerConstructor {
  return (context) => {
    // Namespaces of a new cluster get theirs at once, so that its first request may create a pod.
    for (const { metadata } of context.api.list("namespaces")) ensureNamespaceDefaults(context, metadata.name, certificate);
    return {
      name: "service-account",
      watches: {
        namespaces: ({ type, object }) => (type === "DELETED" ? [] : [object.metadata.name]),
        serviceaccounts: (change) => namespaceOf(change, "default"),
        configmaps: (change) => namespaceOf(change, rootCa),
      },
      reconcile: (name) => ensureNamespaceDefaults(context, name, certificate),
    };
  };
}

function namespaceOf({ type, object }: StoreEvent, name: string): string[] {
  return type !== "ADDED" && object.metadata.name === name ? [object.metadata.namespace ?? ""] : [];
}

function ensureNamespaceDefaults({ api }: EmbeddedControllerContext, namespace: string, certificate: string): undefined {
  const namespaceObject = api.read("namespaces", "", namespace);
  if (namespaceObject === undefined || namespaceObject.metadata.deletionTimestamp !== undefined) return;
  if (api.read("serviceaccounts", namespace, "default") === undefined) {
    api.create("serviceaccounts", { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } }, writer);
  }
  const wanted: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: rootCa, namespace, annotations: { "kubernetes.io/description": description } },
    data: { "ca.crt": certificate },
  };
  const live = api.read("configmaps", namespace, rootCa);
  if (live === undefined) api.create("configmaps", wanted, writer);
  else if (!equal(live["data"], wanted["data"])) api.update("configmaps", { ...live, data: wanted["data"] }, writer);
}
