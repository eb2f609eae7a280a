import { stringAt } from "../../../core/object/index.ts";
import { notFoundError, StatusError } from "../../status-error.ts";
import { admissionForbidden, type AdmissionAttributes, type ValidatingPlugin, type MutatingPlugin } from "./plugin.ts";

// Models apiserver pkg/admission/plugin/namespace/lifecycle/admission.go

const namespaces = "namespaces";
const immortalNamespaces = new Set(["default", "kube-system", "kube-public"]);
/** The error for a missing namespace would reveal to a user without access that it does not exist. */
const accessReviews = "localsubjectaccessreviews.authorization.k8s.io";

/** Rejects writes into an absent namespace, and creates in a terminating one. */
export const admitNamespaceLifecycle: MutatingPlugin = (object, attributes, context) => {
  const { namespace = "" } = object.metadata;
  if (namespace === "" || attributes.resource.key === namespaces || attributes.resource.key === accessReviews) return object;
  const home = context.read(namespaces, "", namespace);
  if (home === undefined) throw notFoundError({ group: "", plural: namespaces }, namespace);
  if (attributes.operation === "CREATE" && stringAt(home, "status.phase") === "Terminating") throw terminating(attributes, namespace);
  return object;
};

function terminating(attributes: AdmissionAttributes, namespace: string): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status, message } = admissionForbidden(attributes, why);
  const cause = { reason: "NamespaceTerminating", message: `namespace ${namespace} is being terminated`, field: "metadata.namespace" };
  return new StatusError(status.code, "Forbidden", message, { ...status.details, causes: [cause] });
}

/** Forbids the deletion of the namespaces that a cluster needs. */
export const validateNamespaceLifecycle: ValidatingPlugin = (attributes) => {
  const { operation, resource, object } = attributes;
  if (operation === "DELETE" && resource.key === namespaces && immortalNamespaces.has(object.metadata.name))
    throw admissionForbidden(attributes, "this namespace may not be deleted");
};
