import { httpDelete, httpGet, httpPost, mergePatch, namespacedPath, type ConformanceCase } from "../conformance-case.ts";

const rbac = "rbac.authorization.k8s.io";
const roles = namespacedPath(`${rbac}/v1`, "roles");
const bindings = namespacedPath(`${rbac}/v1`, "rolebindings");
const clusterRoles = `/apis/${rbac}/v1/clusterroles`;
const reviews = "/apis/authorization.k8s.io/v1";
const whoami = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const as = (user: string, more: { readonly [header: string]: string } = {}) => ({
  "content-type": "application/json",
  "impersonate-user": user,
  ...more,
});
const nobody = { headers: as("nobody"), expect: 403 };
const jane = { headers: as("jane") };
const self = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
const grant = (name: string, kind: string, role: string, user = "jane") => ({
  apiVersion: `${rbac}/v1`,
  kind: "RoleBinding",
  metadata: { name },
  roleRef: { apiGroup: rbac, kind, name: role },
  subjects: [{ apiGroup: rbac, kind: "User", name: user }],
});
const role = (name: string, ...rules: { readonly [field: string]: readonly string[] }[]) => ({
  apiVersion: `${rbac}/v1`,
  kind: "Role",
  metadata: { name },
  rules,
});
const access = (spec: { readonly [field: string]: string | readonly string[] | { readonly [field: string]: string } }) => ({ spec });
const pods = { verb: "get", resource: "pods" };

/** Who may do what: impersonation, role-based access control, reviews. */
export const authorizationCases: readonly ConformanceCase[] = [
  {
    id: "authorization/impersonation",
    title: "an administrator is who it says it is",
    steps: [
      httpPost(whoami, self, { headers: as("bob") }),
      httpPost(whoami, self, { headers: as("system:serviceaccount:{ns}:default") }),
      httpPost(whoami, self, { headers: as("system:serviceaccount:{ns}:default", { "impersonate-group": "dev" }) }),
      httpPost(whoami, self, { headers: as("bob", { "impersonate-uid": "7", "impersonate-extra-scopes%2fx": "a" }) }),
      httpPost(whoami, self, { headers: as("bob", { "impersonate-group": "system:unauthenticated" }), expect: 403 }),
      httpPost(whoami, self, { headers: as("system:anonymous"), expect: 403 }),
      httpGet("/api", { headers: { "impersonate-group": "dev" }, expect: 400 }),
      httpGet("/api", { headers: { "impersonate-uid": "7", "impersonate-extra-x": "a" }, expect: 400 }),
    ],
  },
  {
    id: "authorization/forbidden",
    title: "a refusal names the user, the verb, the resource and the place",
    steps: [
      httpGet(namespacedPath("v1", "secrets"), nobody),
      httpGet(namespacedPath("v1", "secrets", "one"), nobody),
      httpGet("/api/v1/secrets?fieldSelector=metadata.name%3Done", nobody),
      httpGet("/api/v1/namespaces/{ns}", nobody),
      httpGet("/api/v1/namespaces/{ns}/status", nobody),
      httpGet("/apis/apps/v1/deployments?watch=1", nobody),
      httpGet(namespacedPath("apps/v1", "deployments", "web/scale"), nobody),
      httpGet("/apis/nobody.example.com/v1/things", nobody),
      httpGet("/nothing<here>", nobody),
      httpGet("/metrics", nobody),
      httpPost(namespacedPath("v1", "configmaps"), {}, nobody),
      httpDelete(namespacedPath("v1", "configmaps"), undefined, nobody),
      mergePatch(namespacedPath("v1", "configmaps", "one"), {}, { ...nobody, headers: as("nobody") }),
      httpPost(`${reviews}/subjectaccessreviews`, {}, nobody),
    ],
  },
  {
    id: "authorization/bootstrap",
    title: "a cluster has its bootstrap roles and bindings",
    steps: [
      ...["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map((plural) =>
        httpGet(`/apis/${rbac}/v1/${plural}?labelSelector=kubernetes.io%2Fbootstrapping%3Drbac-defaults`, {
          show: ["metadata.name", "metadata.namespace", "roleRef.name"],
        }),
      ),
      httpGet(`${clusterRoles}/system:basic-user`),
      httpGet(`${clusterRoles}/system:node`),
      httpGet(`/apis/${rbac}/v1/clusterrolebindings/system:controller:cronjob-controller`),
      { waitFor: `${clusterRoles}/view`, until: "present", show: ["metadata.managedFields", "aggregationRule"] },
    ],
  },
  {
    id: "authorization/access-review",
    title: "a review says whether a user may, and by which binding",
    steps: [
      httpPost(`${reviews}/subjectaccessreviews`, access({ user: "nobody", resourceAttributes: pods })),
      httpPost(`${reviews}/subjectaccessreviews`, access({ user: "system:kube-scheduler", resourceAttributes: pods })),
      httpPost(
        `${reviews}/subjectaccessreviews`,
        access({ groups: ["system:masters"], user: "x", nonResourceAttributes: { verb: "get", path: "/x" } }),
      ),
      httpPost(
        `${reviews}/subjectaccessreviews`,
        access({ groups: ["system:monitoring"], nonResourceAttributes: { verb: "get", path: "/metrics/slis" } }),
      ),
      httpPost(`${reviews}/selfsubjectaccessreviews`, access({ nonResourceAttributes: { verb: "get", path: "/openapi/v3" } }), jane),
      httpPost(`${reviews}/selfsubjectaccessreviews`, access({ resourceAttributes: { ...pods, namespace: "{ns}" } })),
      httpPost(
        `${reviews}/namespaces/{ns}/localsubjectaccessreviews`,
        access({ user: "bob", resourceAttributes: { ...pods, namespace: "{ns}" } }),
      ),
    ],
  },
  {
    id: "authorization/access-review-refused",
    title: "a review that asks nothing, or too much, is invalid",
    steps: [
      httpPost(`${reviews}/selfsubjectaccessreviews`, access({}), { expect: 422 }),
      httpPost(`${reviews}/subjectaccessreviews`, access({ resourceAttributes: pods }), { expect: 422 }),
      httpPost(
        `${reviews}/subjectaccessreviews`,
        access({ user: "bob", resourceAttributes: pods, nonResourceAttributes: { verb: "get", path: "/x" } }),
        { expect: 422 },
      ),
      httpPost(`${reviews}/namespaces/{ns}/localsubjectaccessreviews`, access({ user: "bob", resourceAttributes: pods }), { expect: 422 }),
      httpPost(
        `${reviews}/namespaces/{ns}/localsubjectaccessreviews`,
        access({ user: "bob", nonResourceAttributes: { verb: "get", path: "/x" } }),
        { expect: 422 },
      ),
      httpPost(`${reviews}/selfsubjectrulesreviews`, access({}), { expect: 400 }),
      httpGet(`${reviews}/selfsubjectrulesreviews`, { expect: 405 }),
      httpGet(`${reviews}/selfsubjectrulesreviews/x`, { expect: 404 }),
    ],
  },
  {
    id: "authorization/role",
    title: "a role gives its verbs on its resources, names and subresources, and no others",
    steps: [
      httpPost(
        roles,
        role(
          "reader",
          { apiGroups: [""], resources: ["configmaps"], resourceNames: ["kube-root-ca.crt"], verbs: ["get"] },
          { apiGroups: ["apps"], resources: ["*/scale"], verbs: ["*"] },
        ),
        { show: ["rules"] },
      ),
      httpPost(bindings, grant("reader", "Role", "reader"), { show: ["roleRef", "subjects"] }),
      httpGet(namespacedPath("v1", "configmaps", "kube-root-ca.crt"), { ...jane, early: 403, show: ["metadata.name"] }),
      httpGet(namespacedPath("v1", "configmaps", "other"), { ...jane, expect: 403 }),
      httpGet(namespacedPath("v1", "configmaps"), { ...jane, expect: 403 }),
      httpGet("/api/v1/namespaces/default/configmaps/kube-root-ca.crt", { ...jane, expect: 403 }),
      httpGet(namespacedPath("apps/v1", "statefulsets", "web/scale"), { ...jane, expect: 404 }),
      httpGet(namespacedPath("apps/v1", "statefulsets", "web"), { ...jane, expect: 403 }),
      httpPost(bindings, grant("dangling", "Role", "absent", "rudi"), { show: [] }),
      httpPost(
        `${reviews}/namespaces/{ns}/localsubjectaccessreviews`,
        access({ user: "jane", resourceAttributes: { ...pods, resource: "configmaps", name: "kube-root-ca.crt", namespace: "{ns}" } }),
      ),
    ],
  },
  {
    id: "authorization/escalation",
    title: "nobody gives away rights that they do not have, or may not bind or escalate",
    steps: [
      httpPost(bindings, grant("admin", "ClusterRole", "admin"), { show: [] }),
      httpGet(roles, { ...jane, early: 403, show: [] }),
      httpPost(roles, role("fits", { apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get", "list"] }), {
        ...jane,
        show: ["rules"],
      }),
      httpPost(
        roles,
        role(
          "grows",
          { apiGroups: [""], resources: ["nodes", "pods"], verbs: ["get", "list", "*"] },
          { apiGroups: ["*"], resources: ["things"], resourceNames: ["a", "b"], verbs: ["get"] },
        ),
        { ...jane, expect: 403 },
      ),
      mergePatch(
        `${roles}/fits`,
        { rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }] },
        { headers: { ...jane.headers, "content-type": "application/merge-patch+json" }, expect: 403 },
      ),
      httpPost(bindings, grant("view", "ClusterRole", "view", "bob"), { ...jane, show: ["roleRef"] }),
      httpPost(bindings, grant("all", "ClusterRole", "cluster-admin", "bob"), { ...jane, expect: 403 }),
      httpPost(bindings, grant("none", "ClusterRole", "absent", "bob"), { ...jane, expect: 404 }),
      httpPost(clusterRoles, role("any"), { ...jane, expect: 403 }),
    ],
  },
  {
    id: "authorization/aggregation",
    title: "a ClusterRole has the rules of those that it selects",
    steps: [
      httpPost(
        clusterRoles,
        {
          apiVersion: `${rbac}/v1`,
          kind: "ClusterRole",
          metadata: { name: "{unique}-sum" },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "sum.example.com/{unique}": "true" } }] },
          rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }],
        },
        { show: ["aggregationRule", "rules"] },
      ),
      httpPost(
        clusterRoles,
        {
          apiVersion: `${rbac}/v1`,
          kind: "ClusterRole",
          metadata: { name: "{unique}-part", labels: { "sum.example.com/{unique}": "true" } },
          rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
        },
        { show: ["rules"] },
      ),
      {
        waitFor: `${clusterRoles}/{unique}-sum`,
        until: { "rules.0.resources.0": "pods" },
        show: ["aggregationRule", "rules", "metadata.managedFields"],
      },
    ],
  },
];
