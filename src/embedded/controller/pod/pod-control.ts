import { fieldsAt, mapAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError } from "../../status-error.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { newControllerRef, controllerManager } from "../owner/index.ts";

/** The owner of the Pods, and the source of the events about them. */
export type PodControl = { readonly context: EmbeddedControllerContext; readonly owner: KubeObject; readonly source: string };

/**
 * Creates a Pod from a template and records an event. A StatusError is recorded too, then thrown.
 *
 * Models pkg/controller/controller_utils.go RealPodControl
 */
export function createPod(podControl: PodControl, template: Fields, { generateName }: { generateName?: string } = {}): KubeObject {
  const { context, owner, source } = podControl;
  try {
    const made = context.api.create(
      "pods",
      podFrom(template, owner, generateName ?? generatedPrefix(owner.metadata.name)),
      controllerManager,
    );
    context.record(owner, { type: "Normal", reason: "SuccessfulCreate", message: `Created pod: ${made.metadata.name}`, source });
    return made;
  } catch (error) {
    if (isStatusError(error) && !isNamespaceTerminating(error)) {
      context.record(owner, { type: "Warning", reason: "FailedCreate", message: `Error creating: ${error.message}`, source });
    }
    throw error;
  }
}

/** Deletes a Pod and records an event. */
export function deletePod({ context, owner, source }: PodControl, pod: KubeObject): void {
  const { namespace = "", name } = pod.metadata;
  try {
    context.api.delete("pods", namespace, name);
  } catch (error) {
    if (isStatusError(error)) {
      context.record(owner, { type: "Warning", reason: "FailedDelete", message: `Error deleting: ${error.message}`, source });
    }
    throw error;
  }
  context.record(owner, { type: "Normal", reason: "SuccessfulDelete", message: `Deleted pod: ${name}`, source });
}

function podFrom(template: Fields, owner: KubeObject, generateName: string): KubeObject {
  const labels = mapAt(template, "metadata.labels");
  const annotations = mapAt(template, "metadata.annotations");
  const finalizers = stringsAt(template, "metadata.finalizers");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "",
      namespace: owner.metadata.namespace ?? "",
      generateName,
      labels,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ownerReferences: [newControllerRef(owner)],
    },
    spec: fieldsAt(template, "spec"),
  };
}

/** The generateName of an owner's Pods: its name and a dash, unless that is too long. */
function generatedPrefix(name: string): string {
  return name.length < 253 ? `${name}-` : name;
}

/** Whether a create failed because its namespace is terminating. It is neither recorded nor retried. */
export function isNamespaceTerminating(error: unknown): boolean {
  return isStatusError(error) && (error.status.details?.causes ?? []).some(({ reason }) => reason === "NamespaceTerminating");
}

/** Removes a finalizer from the latest version of a Pod. A deleted Pod needs nothing. */
export function removeFinalizer({ api }: EmbeddedControllerContext, { metadata }: KubeObject, finalizer: string): void {
  const pod = api.read("pods", metadata.namespace ?? "", metadata.name);
  if (pod === undefined || pod.metadata.uid !== metadata.uid) return;
  const { finalizers = [], ...rest } = pod.metadata;
  if (!finalizers.includes(finalizer)) return;
  const kept = finalizers.filter((name) => name !== finalizer);
  api.update("pods", { ...pod, metadata: { ...rest, ...(kept.length === 0 ? {} : { finalizers: kept }) } }, controllerManager);
}
