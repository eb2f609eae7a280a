import type { Answer } from "../../core/exchange/index.ts";
import { fieldsAt, isDeleting, listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { uidConflict, type ServedResource } from "../apiserver/index.ts";
import { fieldNotSupported, fieldRequired } from "../field-error.ts";
import { badRequestError, conflictError, modifiedError, notFoundError, StatusError, type ApiStatus } from "../status-error.ts";
import { encodedAnswer } from "./answer.ts";
import type { RequestScope } from "./request-scope.ts";
import { writeOptionsOf } from "./request-options.ts";
import { reviewRequestOf } from "./review/review-request.ts";

const bindings: ServedResource = {
  group: "",
  version: "v1",
  kind: "Binding",
  plural: "bindings",
  singular: "binding",
  namespaced: true,
  verbs: ["create"],
  shortNames: [],
  categories: [],
  subresources: new Set(),
  key: "bindings",
  storageVersion: "v1",
};

/**
 * Binds a pod to a node, by `pods/NAME/binding` or by the collection `bindings`. Models pkg/registry/core/pod/storage/storage.go
 * BindingREST
 */
export function bindingAnswer(scope: RequestScope): Answer {
  const { server, target, encoder } = scope;
  const { object: binding, warnings, validate } = reviewRequestOf(scope, bindings);
  const { name } = binding.metadata;
  if (target.name !== "" && name !== target.name) throw badRequestError("name in URL does not match name in Binding object");
  checkTarget(binding);
  validate(binding);
  const pods = server.catalog.stored("pods")!;
  const pod = server.read(pods.key, target.namespace, name);
  if (pod === undefined) throw notFoundError(pods, name);
  checkAssignable(pods, pod, binding);
  const { dryRun = false, manager } = writeOptionsOf(scope);
  const next = assigned(pod, binding, server.timestamp());
  server.updateAs(pods, pod, next, { manager, subresource: "binding", trusted: true, owned: true, dryRun, internal: true });
  const status: ApiStatus = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
  return encodedAnswer(encoder, 201, status, warnings);
}

/** What is wrong with a Binding is an error of the server, not of the request, in real clusters too. */
function checkTarget(binding: KubeObject): void {
  const [kind, name] = [stringAt(binding, "target.kind", ""), stringAt(binding, "target.name", "")];
  const errors = [
    ...(kind === "" || kind === "Node" ? [] : [fieldNotSupported("target.kind", kind, ["Node", "<empty>"])]),
    ...(name === "" ? [fieldRequired("target.name")] : []),
  ].map(({ field, message }) => `${field}: ${message}`);
  if (errors.length > 0) throw new StatusError(500, "", errors.length === 1 ? errors[0]! : `[${errors.join(", ")}]`);
}

function checkAssignable(pods: ServedResource, pod: KubeObject, { metadata }: KubeObject): void {
  const { name, uid, resourceVersion } = pod.metadata;
  if (metadata.uid && metadata.uid !== uid) throw uidConflict(pods, pod.metadata, metadata.uid);
  if (metadata.resourceVersion && metadata.resourceVersion !== resourceVersion) throw modifiedError(pods, name);
  const why = objectionToAssign(pod);
  if (why !== undefined) throw conflictError({ group: "", plural: "pods/binding" }, name, why);
}

function objectionToAssign(pod: KubeObject): string | undefined {
  const { name } = pod.metadata;
  const node = stringAt(pod, "spec.nodeName", "");
  if (isDeleting(pod)) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (node !== "") return `pod ${name} is already assigned to node ${JSON.stringify(node)}`;
  return listAt(pod, "spec.schedulingGates").length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

function assigned(pod: KubeObject, { metadata, ...binding }: KubeObject, now: string): KubeObject {
  const { nominatedNodeName: _nominated, ...status } = fieldsAt(pod, "status");
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: now };
  const conditions = [...listAt(pod, "status.conditions").filter(({ type }) => type !== scheduled.type), scheduled];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata.annotations, ...metadata.annotations },
      labels: { ...pod.metadata.labels, ...metadata.labels },
    },
    spec: { ...fieldsAt(pod, "spec"), nodeName: stringAt(binding, "target.name", "") },
    status: { ...status, conditions },
  };
}
