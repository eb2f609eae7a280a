import { stringAt } from "../../../core/object/index.ts";
import { notFound, Refusal } from "../../refusal.ts";
import { forbidden, type Attempt, type Check, type Mutation } from "./plugin.ts";

// Models apiserver pkg/admission/plugin/namespace/lifecycle/admission.go

const namespaces = "namespaces";
const immortal = new Set(["default", "kube-system", "kube-public"]);
/** An answer about a namespace would tell who may not ask for it that it is there. */
const accessReviews = "localsubjectaccessreviews.authorization.k8s.io";

/** Lets nothing be written into a namespace that is not there, and nothing new into one that is going. */
export const keepToNamespaces: Mutation = (object, attempt, around) => {
  const { namespace = "" } = object.metadata;
  if (namespace === "" || attempt.resource.key === namespaces || attempt.resource.key === accessReviews) return object;
  const home = around.read(namespaces, "", namespace);
  if (home === undefined) throw notFound({ group: "", plural: namespaces }, namespace);
  if (attempt.operation === "CREATE" && stringAt(home, "status.phase") === "Terminating") throw terminating(attempt, namespace);
  return object;
};

function terminating(attempt: Attempt, namespace: string): Refusal {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status, message } = forbidden(attempt, why);
  const cause = { reason: "NamespaceTerminating", message: `namespace ${namespace} is being terminated`, field: "metadata.namespace" };
  return new Refusal(status.code, "Forbidden", message, { ...status.details, causes: [cause] });
}

/** Keeps the namespaces that a cluster cannot do without. */
export const keepImmortalNamespaces: Check = (attempt) => {
  const { operation, object } = attempt;
  if (operation === "DELETE" && immortal.has(object.metadata.name)) throw forbidden(attempt, "this namespace may not be deleted");
};
