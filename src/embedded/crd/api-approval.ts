import type { KubeObject } from "../../core/object/index.ts";
import { fieldInvalid, fieldRequired, type FieldError } from "../field-error.ts";
import type { CrdCondition } from "./crd.ts";
import { crdSpecOf } from "./crd.ts";

const annotation = "api-approved.kubernetes.io";
const policy = "see https://github.com/kubernetes/enhancements/pull/1111";

type Approval = { readonly state: "invalid" | "approved" | "bypassed" | "missing"; readonly reason: string };

/** Groups of the Kubernetes community are protected: their CRDs need an approval. Models apiextensions pkg/apihelpers/helpers.go */
function isProtected(crd: KubeObject): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(crdSpecOf(crd).group ?? "");
}

function approvalOf({ metadata: { annotations = {} } }: KubeObject): Approval {
  const value = annotations[annotation] ?? "";
  const must = `protected groups must have approval annotation ${JSON.stringify(annotation)}`;
  if (value === "") return { state: "missing", reason: `${must}, ${policy}` };
  if (value.startsWith("unapproved")) return { state: "bypassed", reason: `not approved: ${JSON.stringify(value)}` };
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(value)) return { state: "approved", reason: `approved in ${value}` };
  return { state: "invalid", reason: `${must} with either a URL or a reason starting with "unapproved", ${policy}` };
}

export function approvalErrors(crd: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  if (!isProtected(crd)) return [];
  const { state, reason } = approvalOf(crd);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const path = `metadata.annotations[${annotation}]`;
  if (state === "missing") return [fieldRequired(path, reason)];
  return state === "invalid" ? [fieldInvalid(path, crd.metadata.annotations?.[annotation], reason)] : [];
}

const reasons = {
  invalid: "InvalidAnnotation",
  missing: "MissingAnnotation",
  approved: "ApprovedAnnotation",
  bypassed: "UnapprovedAnnotation",
};

/** The condition of CRDs in protected groups. Models apiextensions pkg/controller/apiapproval */
export function approvalCondition(crd: KubeObject): CrdCondition | undefined {
  if (!isProtected(crd)) return undefined;
  const { state, reason } = approvalOf(crd);
  const status = state === "approved" ? "True" : "False";
  return { type: "KubernetesAPIApprovalPolicyConformant", status, reason: reasons[state], message: reason };
}
