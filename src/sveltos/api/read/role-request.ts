import type { KubeObject, LabelSelectorObject, ObjectMeta } from "../../../core/object/index.ts";
import { roleRequestSpec, type RoleReference } from "../kind/role-request.ts";
import { sveltosNamespace } from "../object-names.ts";
import { readSpecWith, type ReadResult } from "./read-result.ts";

/** A tenant: a ServiceAccount of the management cluster. */
export type Tenant = { readonly namespace: string; readonly name: string };

/** A RoleRequest: what a tenant may do in which clusters. */
export type RoleRequest = {
  readonly metadata: ObjectMeta;
  readonly tenant: Tenant;
  /** The name of the tenant in the label `projectsveltos.io/admin-name`. */
  readonly admin: string;
  readonly clusterSelector: LabelSelectorObject;
  readonly roleRefs: readonly RoleReference[];
  readonly expirationSeconds: number | undefined;
};

/** Reads a RoleRequest of any generation: those of 2023 name the `admin` alone, whose ServiceAccount is in Sveltos' namespace. */
export function readRoleRequest(object: KubeObject): ReadResult<RoleRequest> {
  return readSpecWith(object, roleRequestSpec, (spec, issues) => {
    const { admin = "", serviceAccountName: name = admin, serviceAccountNamespace = "" } = spec;
    const namespace = serviceAccountNamespace === "" && admin !== "" ? sveltosNamespace : serviceAccountNamespace;
    if (name === "") issues.problems.push({ at: "spec.serviceAccountName", message: "is missing" });
    if (namespace === "") issues.problems.push({ at: "spec.serviceAccountNamespace", message: "is missing" });
    return {
      metadata: object.metadata,
      tenant: { namespace, name },
      admin: admin === "" ? name : admin,
      clusterSelector: spec.clusterSelector,
      roleRefs: spec.roleRefs,
      expirationSeconds: spec.expirationSeconds,
    };
  });
}
