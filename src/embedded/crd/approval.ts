import type { KubeObject } from "../../core/object/index.ts";
import { invalid, required, type FieldError } from "../field-error.ts";
import type { DefinitionCondition } from "./definition.ts";
import { specOf } from "./definition.ts";

const annotation = "api-approved.kubernetes.io";
const policy = "see https://github.com/kubernetes/enhancements/pull/1111";

type Approval = { readonly state: "invalid" | "approved" | "bypassed" | "missing"; readonly reason: string };

/** Groups of the Kubernetes community are for definitions that were approved. Models apiextensions pkg/apihelpers/helpers.go */
function isProtected(definition: KubeObject): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(specOf(definition).group ?? "");
}

function approvalOf({ metadata: { annotations = {} } }: KubeObject): Approval {
  const said = annotations[annotation] ?? "";
  const must = `protected groups must have approval annotation ${JSON.stringify(annotation)}`;
  if (said === "") return { state: "missing", reason: `${must}, ${policy}` };
  if (said.startsWith("unapproved")) return { state: "bypassed", reason: `not approved: ${JSON.stringify(said)}` };
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(said)) return { state: "approved", reason: `approved in ${said}` };
  return { state: "invalid", reason: `${must} with either a URL or a reason starting with "unapproved", ${policy}` };
}

export function approvalErrors(definition: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  if (!isProtected(definition)) return [];
  const { state, reason } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const path = `metadata.annotations[${annotation}]`;
  if (state === "missing") return [required(path, reason)];
  return state === "invalid" ? [invalid(path, definition.metadata.annotations?.[annotation], reason)] : [];
}

const reasons = {
  invalid: "InvalidAnnotation",
  missing: "MissingAnnotation",
  approved: "ApprovedAnnotation",
  bypassed: "UnapprovedAnnotation",
};

/** The condition that definitions of protected groups carry. Models apiextensions pkg/controller/apiapproval */
export function approvalCondition(definition: KubeObject): DefinitionCondition | undefined {
  if (!isProtected(definition)) return undefined;
  const { state, reason } = approvalOf(definition);
  const status = state === "approved" ? "True" : "False";
  return { type: "KubernetesAPIApprovalPolicyConformant", status, reason: reasons[state], message: reason };
}
