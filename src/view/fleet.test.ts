import assert from "node:assert/strict";
import { test } from "node:test";
import { addonTable, dryRunTable, plainPaint, rawDiffLines, usageTable, type AddonOutline, type DryRunOutline } from "./index.ts";

const workload = { type: "Capi", namespace: "default", name: "clusterapi-workload" } as const;
const zone = "America/Los_Angeles";

function deployed(group: string, kind: string, name: string, lastAppliedTime: string, profile: string): AddonOutline {
  const profiles = [{ kind: "ClusterProfile", name: profile }] as const;
  return {
    cluster: workload,
    type: "resource",
    group,
    version: "v1",
    kind,
    namespace: "todo",
    name,
    lastAppliedTime,
    deploymentType: "Remote",
    profiles,
  };
}

/** What seed 000 deploys, step by step. */
const postgresql = [
  deployed("apps", "Deployment", "postgresql", "2023-08-20T15:23:11Z", "postgresql"),
  deployed("", "Service", "postgresql", "2023-08-20T15:23:11Z", "postgresql"),
];
const todoTable = deployed("batch", "Job", "todo-table", "2023-08-20T15:30:19Z", "sveltos-2gv4dh8dl5fqy2z0amnx");
const third = ["2023-08-20T15:36:17Z", "sveltos-n7201iyuxbsyra94r59f"] as const;
const todo = [
  deployed("", "Service", "todo-gitops", ...third),
  deployed("", "ServiceAccount", "todo-gitops", ...third),
  deployed("apps", "Deployment", "todo-gitops", ...third),
  deployed("networking.k8s.io", "Ingress", "todo", ...third),
];

/** As the seed prints them. */
const seedTables: readonly (readonly [string, readonly AddonOutline[], string])[] = [
  [
    "PostgreSQL",
    postgresql,
    `
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------+
|           CLUSTER           |  RESOURCE TYPE  | NAMESPACE |    NAME    | VERSION |             TIME              | CLUSTER PROFILES |
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------+
| default/clusterapi-workload | apps:Deployment | todo      | postgresql | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql       |
| default/clusterapi-workload | :Service        | todo      | postgresql | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql       |
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------+`,
  ],
  [
    "the table",
    [...postgresql, todoTable],
    `
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------------------+
|           CLUSTER           |  RESOURCE TYPE  | NAMESPACE |    NAME    | VERSION |             TIME              |       CLUSTER PROFILES       |
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------------------+
| default/clusterapi-workload | apps:Deployment | todo      | postgresql | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql                   |
| default/clusterapi-workload | :Service        | todo      | postgresql | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql                   |
| default/clusterapi-workload | batch:Job       | todo      | todo-table | N/A     | 2023-08-20 08:30:19 -0700 PDT | sveltos-2gv4dh8dl5fqy2z0amnx |
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------------------+`,
  ],
  [
    "the app",
    [...postgresql, todoTable, ...todo],
    `
+-----------------------------+---------------------------+-----------+-------------+---------+-------------------------------+------------------------------+
|           CLUSTER           |       RESOURCE TYPE       | NAMESPACE |    NAME     | VERSION |             TIME              |       CLUSTER PROFILES       |
+-----------------------------+---------------------------+-----------+-------------+---------+-------------------------------+------------------------------+
| default/clusterapi-workload | apps:Deployment           | todo      | postgresql  | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql                   |
| default/clusterapi-workload | :Service                  | todo      | postgresql  | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql                   |
| default/clusterapi-workload | batch:Job                 | todo      | todo-table  | N/A     | 2023-08-20 08:30:19 -0700 PDT | sveltos-2gv4dh8dl5fqy2z0amnx |
| default/clusterapi-workload | :Service                  | todo      | todo-gitops | N/A     | 2023-08-20 08:36:17 -0700 PDT | sveltos-n7201iyuxbsyra94r59f |
| default/clusterapi-workload | :ServiceAccount           | todo      | todo-gitops | N/A     | 2023-08-20 08:36:17 -0700 PDT | sveltos-n7201iyuxbsyra94r59f |
| default/clusterapi-workload | apps:Deployment           | todo      | todo-gitops | N/A     | 2023-08-20 08:36:17 -0700 PDT | sveltos-n7201iyuxbsyra94r59f |
| default/clusterapi-workload | networking.k8s.io:Ingress | todo      | todo        | N/A     | 2023-08-20 08:36:17 -0700 PDT | sveltos-n7201iyuxbsyra94r59f |
+-----------------------------+---------------------------+-----------+-------------+---------+-------------------------------+------------------------------+`,
  ],
];

for (const [step, addons, expected] of seedTables) {
  test(`add-ons: seed 000 after ${step}, as it is printed there`, () => {
    assert.equal(`\n${addonTable(addons, { zone }).join("\n")}`, expected);
  });
}

test("add-ons: charts have a version; the wide table has the deployment type and the kind of each profile", () => {
  const chart: AddonOutline = {
    cluster: { namespace: "fleet", name: "east" },
    type: "chart",
    chartVersion: "1.2.3",
    namespace: "web",
    name: "shop",
    lastAppliedTime: "2026-01-05T10:00:00Z",
    deploymentType: "Local",
    profiles: [
      { kind: "ClusterProfile", name: "web" },
      { kind: "Profile", namespace: "fleet", name: "team" },
    ],
  };
  assert.deepEqual(addonTable([chart], { zone: "UTC", wide: true }).slice(1), [
    "|  CLUSTER   | RESOURCE TYPE | NAMESPACE | NAME | VERSION |             TIME              |  DEPLOYMENT TYPE   |            PROFILES             |",
    "+------------+---------------+-----------+------+---------+-------------------------------+--------------------+---------------------------------+",
    "| fleet/east | helm chart    | web       | shop | 1.2.3   | 2026-01-05 10:00:00 +0000 UTC | Management cluster | ClusterProfile/web;Profile/team |",
    "+------------+---------------+-----------+------+---------+-------------------------------+--------------------+---------------------------------+",
  ]);
});

test("usage: every cluster on a line of its own", () => {
  const clusters = [
    { namespace: "fleet", name: "east" },
    { namespace: "fleet", name: "west" },
  ];
  const usages = [
    { kind: "ClusterProfile", namespace: "", name: "web", clusters },
    { kind: "Secret", namespace: "default", name: "unused", clusters: [] },
  ];
  assert.deepEqual(usageTable(usages), [
    "+----------------+--------------------+---------------+------------+",
    "| RESOURCE KIND  | RESOURCE NAMESPACE | RESOURCE NAME |  CLUSTERS  |",
    "+----------------+--------------------+---------------+------------+",
    "| ClusterProfile |                    | web           | fleet/east |",
    "|                |                    |               | fleet/west |",
    "| Secret         | default            | unused        |            |",
    "+----------------+--------------------+---------------+------------+",
  ]);
});

const common = {
  cluster: { namespace: "fleet", name: "east" },
  profile: { kind: "ClusterProfile", name: "dry" },
  namespace: "demo",
} as const;
const difference =
  "--- deployed: ConfigMap first\n+++ proposed: ConfigMap first\n@@ -1,2 +1,2 @@\n data:\n-  color: green\n+  color: yellow\n";
const reports: readonly DryRunOutline[] = [
  { ...common, type: "resource", group: "", version: "v1", kind: "ConfigMap", name: "first", action: "Update", message: difference },
  { ...common, type: "resource", group: "apps", version: "v1", kind: "Deployment", name: "web", action: "Create" },
  {
    ...common,
    type: "chart",
    chartVersion: "2.0.0",
    name: "shop",
    action: "Conflict",
    message: "release shop in demo is already managed by ClusterProfile one, which came first;\n wait\n",
  },
];

test("dry run: what would change; a difference is not shown in the table, and long messages are wrapped", () => {
  assert.deepEqual(dryRunTable(reports), [
    "+------------+-----------------+-----------+-------+----------+-----------------------------------------------------------+--------------------+",
    "|  CLUSTER   |  RESOURCE TYPE  | NAMESPACE | NAME  |  ACTION  |                          MESSAGE                          |      PROFILE       |",
    "+------------+-----------------+-----------+-------+----------+-----------------------------------------------------------+--------------------+",
    "| fleet/east | :ConfigMap      | demo      | first | Update   | use --raw-diff to see full diff                           | ClusterProfile/dry |",
    "| fleet/east | apps:Deployment | demo      | web   | Create   |                                                           | ClusterProfile/dry |",
    "| fleet/east | helm release    | demo      | shop  | Conflict | release shop in demo is already managed by ClusterProfile | ClusterProfile/dry |",
    "|            |                 |           |       |          | one, which came first;                                    |                    |",
    "|            |                 |           |       |          | wait                                                      |                    |",
    "+------------+-----------------+-----------+-------+----------+-----------------------------------------------------------+--------------------+",
  ]);
});

test("dry run: the differences alone, under their clusters", () => {
  const west = { ...reports[0]!, cluster: { namespace: "fleet", name: "west" } };
  const paint = { ...plainPaint, good: (text: string) => `<${text}>` };
  assert.deepEqual(rawDiffLines([...reports, west], paint), [
    "Cluster: fleet/east",
    "--- deployed: ConfigMap first",
    "<+++ proposed: ConfigMap first>",
    "@@ -1,2 +1,2 @@",
    " data:",
    "-  color: green",
    "<+  color: yellow>",
    "",
    "Cluster: fleet/west",
    "--- deployed: ConfigMap first",
    "<+++ proposed: ConfigMap first>",
    "@@ -1,2 +1,2 @@",
    " data:",
    "-  color: green",
    "<+  color: yellow>",
    "",
  ]);
});
