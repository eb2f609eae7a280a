import { stringAt } from "../../../object/index.ts";
import { isKind, refuse, type Admission, type AdmissionRequest } from "./request.ts";

const undeletable = new Set(["default", "kube-system", "kube-public"]);

/** Reviews are answered and never stored, so they may be made anywhere. */
const reviews = new Set(["localsubjectaccessreviews"]);

/** Models apiserver pkg/admission/plugin/namespace/lifecycle/admission.go */
export function namespaceLifecycle(request: AdmissionRequest): Admission {
  const { operation, object, reader, resource } = request;
  if (isKind(request, "", "Namespace")) {
    const kept = operation === "delete" && undeletable.has(object.metadata.name);
    return kept ? refuse(request, "this namespace may not be deleted") : { object };
  }
  const namespace = object.metadata.namespace ?? "";
  if (namespace === "" || operation === "delete" || reviews.has(resource)) return { object };
  const home = reader.read("", "Namespace", "", namespace);
  if (home === undefined) {
    return { refused: { code: 404, reason: "NotFound", message: `namespaces ${JSON.stringify(namespace)} not found` } };
  }
  if (operation !== "create" || stringAt(home, "status.phase") !== "Terminating") return { object };
  const refusal = refuse(request, `unable to create new content in namespace ${namespace} because it is being terminated`);
  const cause = { reason: "NamespaceTerminating", message: `namespace ${namespace} is being terminated`, field: "metadata.namespace" };
  return "refused" in refusal ? { refused: { ...refusal.refused, causes: [cause] } } : refusal;
}
