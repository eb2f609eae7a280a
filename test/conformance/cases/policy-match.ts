import {
  configMap,
  configMapsPath,
  httpDelete,
  httpPost,
  httpPut,
  mergePatch,
  namespacedPath,
  type ConformanceCase,
} from "../conformance-case.ts";
import {
  policiesPath,
  bindingsPath,
  policy,
  binding,
  refused,
  allowed,
  bad,
  guard,
  guarded,
  withPolicy,
  validations,
  clean,
  costlyExpression,
} from "./policy-steps.ts";

const deploymentsPath = namespacedPath("apps/v1", "deployments");
const deployment = (replicas: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas,
    paused: true,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "a", image: "example.com/a" }] } },
  },
});
const podRules = (operations: string[], resources: string[]) => [{ apiGroups: ["*"], apiVersions: ["*"], operations, resources }];

/** What policies match, and what they see of it. */
export const policyMatchCases: readonly ConformanceCase[] = [
  {
    id: "admission-policy/match-conditions",
    title: "conditions decide whether a policy is asked",
    steps: withPolicy(
      {
        matchConditions: [
          { name: "has-data", expression: "has(object.data) || object.metadata.name == 'guard'" },
          { name: "not-skipped", expression: "object.metadata.name != 'skipped'" },
        ],
        validations: [{ expression: "false", message: "no" }],
      },
      [guarded, refused(bad), allowed(configMap("empty")), allowed(configMap("skipped", { data: { a: "1" } }))],
    ),
  },
  {
    id: "admission-policy/match-condition-fails",
    title: "a condition that fails denies, unless another one does not hold",
    steps: withPolicy(
      {
        matchConditions: [
          { name: "fails", expression: "object.data.missing == 'x'" },
          { name: "also", expression: "object.data.gone == 'x'" },
          { name: "holds", expression: "object.metadata.name != 'skipped'" },
        ],
        validations: [{ expression: "true" }],
      },
      [refused(bad), allowed(configMap("skipped", { data: { a: "1" } }))],
    ),
  },
  {
    id: "admission-policy/failure-ignore",
    title: "with failurePolicy Ignore an error lets the write in",
    steps: withPolicy({ failurePolicy: "Ignore", ...validations({ expression: "object.data.missing == 'x'" }) }, [guarded, allowed(bad)]),
  },
  {
    id: "admission-policy/variables",
    title: "variables are evaluated when they are used, and one may use those before it",
    steps: withPolicy(
      {
        variables: [
          { name: "data", expression: "has(object.data) ? object.data : {}" },
          { name: "a", expression: "'a' in variables.data ? variables.data['a'] : 'none'" },
          { name: "broken", expression: "object.data.missing" },
        ],
        ...validations(
          { expression: "variables.a != '1'", messageExpression: "'a is ' + variables.a" },
          { expression: "object.metadata.name != 'breaks' || variables.broken == 'x'" },
        ),
      },
      [guarded, refused(bad), allowed(configMap("good")), refused(configMap("breaks", { data: { a: "2" } }))],
    ),
  },
  {
    id: "admission-policy/object-selector",
    title: "a binding narrows what its policy matches",
    steps: withPolicy(
      validations({ expression: "false", message: "no" }),
      [refused(configMap("bad", {}, { labels: { strict: "yes" } })), allowed(configMap("good"))],
      { matchResources: { objectSelector: { matchLabels: { strict: "yes" } } } },
    ),
  },
  {
    id: "admission-policy/exclude",
    title: "rules and names are excluded",
    steps: withPolicy(
      { validations: [{ expression: "false", message: "no" }] },
      [refused(bad), allowed(configMap("free"))],
      {},
      {
        excludeResourceRules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"], resourceNames: ["free"] },
        ],
      },
    ),
  },
  {
    id: "admission-policy/update",
    title: "an update sees what was, and a patch and a put are updates",
    steps: [
      httpPost(configMapsPath, configMap("kept", { data: { a: "1" } }), { show: [] }),
      ...withPolicy(
        validations({
          expression: "oldObject == null || oldObject.data.a == object.data.a",
          messageExpression: "oldObject.data.a + ' to ' + object.data.a",
        }),
        [
          guarded,
          mergePatch(`${configMapsPath}/kept`, { data: { a: "2" } }, { expect: 422 }),
          httpPut(`${configMapsPath}/kept`, configMap("kept", { data: { a: "3" } }), { expect: 422 }),
          mergePatch(`${configMapsPath}/kept`, { data: { b: "2" } }, { show: ["data"] }),
        ],
      ),
    ],
  },
  {
    id: "admission-policy/delete",
    title: "a deletion has no object, and is denied",
    steps: [
      httpPost(configMapsPath, configMap("kept"), { show: [] }),
      ...withPolicy(
        validations({
          expression: "request.operation != 'DELETE' || oldObject.metadata.name != 'kept'",
          messageExpression: "string(object == null) + request.name",
        }),
        [
          guarded,
          httpDelete(`${configMapsPath}/kept`, undefined, { expect: 422 }),
          httpDelete(`${configMapsPath}?dryRun=All`, undefined, { expect: 422 }),
        ],
        {},
        { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }] },
      ),
    ],
  },
  {
    id: "admission-policy/warn",
    title: "Warn lets a write in, and says so; Audit says nothing",
    steps: withPolicy(
      {
        validations: [
          { expression: "object.metadata.name != 'bad'", message: "bad name" },
          { expression: "object.metadata.name != 'bad'", message: "really" },
        ],
      },
      [httpPost(configMapsPath, configMap("good"), { show: [] })],
      { validationActions: ["Warn", "Audit"] },
    ),
  },
  {
    id: "admission-policy/status-subresource",
    title: "a policy on a resource does not see its subresources",
    steps: [
      httpPost(deploymentsPath, deployment(1), { show: [] }),
      ...withPolicy(
        { validations: [{ expression: "object.spec.replicas < 2", messageExpression: "string(object.kind)" }] },
        [
          httpPut(`${deploymentsPath}/web?dryRun=All`, deployment(3), { expect: 422, early: 200 }),
          mergePatch(`${deploymentsPath}/web/status?dryRun=All`, { status: { observedGeneration: 9 } }, { show: [] }),
        ],
        {},
        { resourceRules: podRules(["UPDATE"], ["deployments"]) },
      ),
    ],
  },
  {
    id: "admission-policy/scale",
    title: "a policy on a scale sees the Scale",
    steps: [
      httpPost(deploymentsPath, deployment(1), { show: [] }),
      ...withPolicy(
        {
          validations: [
            {
              expression: "object.spec.replicas < 2",
              messageExpression:
                "object.kind + ' ' + request.kind.kind + ' ' + request.subResource + ' ' + string(oldObject.spec.replicas)",
            },
          ],
        },
        [
          mergePatch(`${deploymentsPath}/web/scale?dryRun=All`, { spec: { replicas: 3 } }, { expect: 422, early: 200 }),
          mergePatch(`${deploymentsPath}/web?dryRun=All`, { spec: { replicas: 3 } }, { show: ["spec.replicas"] }),
        ],
        {},
        { resourceRules: podRules(["UPDATE"], ["deployments/scale"]) },
      ),
    ],
  },
  {
    id: "admission-policy/itself",
    title: "a policy that matches everything does not lock itself in",
    steps: [
      httpPost(policiesPath, policy({ validations: [{ expression: "false", message: "no" }] }, { resourceRules: podRules(["*"], ["*"]) }), {
        show: [],
      }),
      httpPost(bindingsPath, binding(), { show: [] }),
      refused(bad),
      mergePatch(`${policiesPath}/{ns}-p`, { metadata: { labels: { a: "b" } } }, { show: ["metadata.labels"] }),
      ...clean,
    ],
  },
  {
    id: "admission-policy/terminating-namespace",
    title: "the namespace's own plugin comes before policies",
    namespaces: 2,
    steps: [
      httpPost(policiesPath, policy({ validations: [{ expression: "false", message: "no" }] }), { show: [] }),
      httpPost(bindingsPath, binding(), { show: [] }),
      refused(bad),
      httpPost("/api/v1/namespaces/none-such/configmaps", configMap("x"), { expect: 404 }),
      ...clean,
    ],
  },
  {
    id: "admission-policy/budget",
    title: "all validations together have a budget",
    steps: withPolicy(
      {
        validations: [
          guard,
          ...Array.from({ length: 14 }, () => ({
            expression: costlyExpression.replace(".all(f, a + b + c + d + e + f > 0)", ".size() > 0"),
          })),
        ],
      },
      [guarded, allowed(configMap("x", { data: { a: "2" } }))],
    ).map((step) => step),
  },
];
