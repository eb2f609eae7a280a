import { clusterSelector } from "../selector.ts";
import { assumed, bytes, integer, list, nonEmptyText, object, oneOf, optional, withSchema, text, type ValueOf } from "../shape/index.ts";
import { objectReference } from "./reference.ts";

const roleReference = object({
  kind: oneOf("ConfigMap", "Secret"),
  name: nonEmptyText,
  namespace: withSchema(text(), { description: "Where it is; the namespace of the cluster where it is empty." }),
});
export type RoleReference = ValueOf<typeof roleReference>;

export const roleRequestSpec = object({
  serviceAccountName: optional(withSchema(text(), { description: "The ServiceAccount of the tenant in the management cluster." })),
  serviceAccountNamespace: optional(text()),
  admin: optional(
    withSchema(text(), {
      description: "The name of the tenant in the label projectsveltos.io/admin-name, as RoleRequests of 2023 have it.",
    }),
  ),
  clusterSelector: assumed(withSchema(clusterSelector, { description: "In which clusters the tenant gets these rights." }), {}),
  roleRefs: assumed(
    withSchema(list(roleReference), { description: "ConfigMaps and Secrets with the Roles and ClusterRoles that the tenant gets." }),
    [],
  ),
  expirationSeconds: optional(
    withSchema(integer({ minimum: 600, format: "int64" }), { description: "How long a token of the tenant is valid; a year by default." }),
  ),
});

const clusterInfo = object({
  cluster: objectReference,
  hash: bytes,
  failureMessage: optional(text()),
  status: optional(oneOf("Provisioning", "Provisioned", "Failed", "FailedNonRetriable", "Removing", "Removed")),
  granted: optional(
    withSchema(list(text()), { description: "The Roles that are still granted where the request has failed; *: it is not known which." }),
  ),
});
export type RoleRequestClusterInfo = ValueOf<typeof clusterInfo>;

export const roleRequestStatus = object({
  clusterInfo: optional(list(clusterInfo)),
  failureMessage: optional(text()),
  matchingClusters: optional(list(objectReference)),
});
export type RoleRequestStatus = ValueOf<typeof roleRequestStatus>;
