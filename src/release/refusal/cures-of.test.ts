import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectRef } from "../../core/object/index.ts";
import type { Cure } from "./index.ts";
import { curesOf } from "./index.ts";

const pod: ObjectRef = { group: "", version: "v1", kind: "Pod", namespace: "shop", name: "x" };
const foo: ObjectRef = { group: "example.com", version: "v1", kind: "Foo", namespace: "shop", name: "f" };
const object = (group: string, kind: string, namespace: string, name?: string): Cure => ({
  by: "object",
  group,
  kind,
  namespace,
  ...(name === undefined ? {} : { name }),
});
const changed = (cure: Cure) => ({ ...cure, deleted: true }) as Cure;
const definition: Cure = { by: "definition", group: "example.com", kind: "Foo" };

type Case = readonly [code: number, explanation: string, refused: ObjectRef, cures: readonly Cure[]];

/** What a kube-apiserver 1.35 answered to server-side applies. */
const cases: Readonly<Record<string, Case>> = {
  "a missing namespace": [404, 'namespaces "shop" not found', pod, [object("", "Namespace", "", "shop")]],
  "a namespace that is going": [
    403,
    'configmaps "x" is forbidden: unable to create new content in namespace shop because it is being terminated',
    pod,
    [object("", "Namespace", "", "shop")],
  ],
  "a missing service account": [
    403,
    'pods "x" is forbidden: error looking up service account shop/nobody: serviceaccount "nobody" not found',
    pod,
    [object("", "ServiceAccount", "shop", "nobody")],
  ],
  "a missing priority class": [
    403,
    'pods "x" is forbidden: no PriorityClass with name nope was found',
    pod,
    [object("scheduling.k8s.io", "PriorityClass", "", "nope")],
  ],
  "a missing runtime class": [
    403,
    'pods "x" is forbidden: pod rejected: RuntimeClass "nope" not found',
    pod,
    [object("node.k8s.io", "RuntimeClass", "", "nope")],
  ],
  "a missing role": [
    404,
    'clusterroles.rbac.authorization.k8s.io "reader" not found',
    { ...pod, group: "rbac.authorization.k8s.io", kind: "RoleBinding" },
    [object("rbac.authorization.k8s.io", "ClusterRole", "", "reader")],
  ],
  "a missing object that nobody looks up": [404, 'toString "x" not found', pod, []],
  "an exceeded quota": [
    403,
    'pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0',
    pod,
    [changed(object("", "ResourceQuota", "shop", "q")), { by: "deletion", namespace: "shop" }],
  ],
  "a quota that asks for more fields": [
    403,
    'pods "x" is forbidden: failed quota: q2: must specify requests.memory for: c',
    pod,
    [changed(object("", "ResourceQuota", "shop", "q2")), changed(object("", "LimitRange", "shop"))],
  ],
  "a limit range": [
    403,
    'pods "x" is forbidden: maximum cpu usage per Container is 500m, but limit is 1',
    pod,
    [changed(object("", "LimitRange", "shop"))],
  ],
  "pod security": [
    403,
    'pods "x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set …)',
    pod,
    [object("", "Namespace", "", "shop")],
  ],
  "a webhook that cannot be called": [
    500,
    'Internal error occurred: failed calling webhook "check.example.com": failed to call webhook: Post "https://hook.ops.svc:443/x?timeout=1s": service "hook" not found',
    pod,
    [
      { by: "webhook", name: "check.example.com" },
      { by: "backend", namespace: "ops", name: "hook" },
    ],
  ],
  "a webhook that denies, in words of another refusal": [
    422,
    'admission webhook "check.example.com" denied the request: exceeded quota: q, sorry',
    pod,
    [{ by: "webhook", name: "check.example.com" }],
  ],
  "a conversion webhook": [
    500,
    'conversion webhook for example.com/v1, Kind=Foo failed: Post "https://hook.ops.svc:443/convert?timeout=30s": service "hook" not found',
    foo,
    [definition, { by: "backend", namespace: "ops", name: "hook" }],
  ],
  "an admission policy": [
    422,
    "configmaps \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: it must be c",
    pod,
    [
      changed(object("admissionregistration.k8s.io", "ValidatingAdmissionPolicy", "", "p")),
      changed(object("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", "", "b")),
    ],
  ],
  "a right that is missing": [
    403,
    'foos.example.com "f" is forbidden: User "system:serviceaccount:ci:bot" cannot patch resource "foos" in API group "example.com" in the namespace "shop"',
    foo,
    [{ by: "grant", user: "system:serviceaccount:ci:bot", groups: [] }],
  ],
  "a right that is to be granted by one who does not have it": [
    403,
    'roles.rbac.authorization.k8s.io "r" is forbidden: user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    pod,
    [{ by: "grant", user: "jane", groups: ["dev", "system:authenticated"] }],
  ],
  "a field that the schema does not have": [
    500,
    "failed to create typed patch object (shop/f; example.com/v1, Kind=Foo): .spec.colour: field not declared in schema",
    foo,
    [definition],
  ],
  "a value that the schema does not have": [
    422,
    'Foo.example.com "f" is invalid: spec.mode: Unsupported value: "b": supported values: "a"',
    foo,
    [definition],
  ],
  "an API that does not answer": [
    503,
    "the server is currently unable to handle the request",
    foo,
    [object("apiregistration.k8s.io", "APIService", "", "v1.example.com")],
  ],
  "a failure of the server": [500, "etcdserver: request timed out", foo, []],
};

for (const [what, [code, explanation, refused, cures]] of Object.entries(cases)) {
  test(`${what} may be cured by ${cures.map(({ by }) => by).join(" or ") || "nothing"}`, () => {
    assert.deepEqual(curesOf({ code, explanation }, refused), cures);
  });
}
