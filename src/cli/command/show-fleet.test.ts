import assert from "node:assert/strict";
import { test } from "node:test";
import { testFolder, serveClusters } from "../../../test/support/command-line.ts";
import {
  fleetClusters,
  createObjects,
  populateHub,
  openHub,
  sveltosObject,
  ownedByProfile,
  sveltosClusterReference,
} from "../../../test/support/fleet-objects.ts";
import { fieldsAt, listAt, type KubeObject } from "../../core/object/index.ts";
import { gvkOf, originLabels } from "../../sveltos/api/index.ts";

/** The zone that seed 000 was written in. */
process.env["TZ"] = "America/Los_Angeles";

const { kubeconfig, sluice } = await serveClusters(testFolder("show-fleet"));
const hub = await openHub(kubeconfig);

function resource(group: string, kind: string, name: string, lastAppliedTime: string): object {
  return { group, version: "v1", kind, namespace: "todo", name, lastAppliedTime, ignoreForConfigurationDrift: false };
}

const first = "2023-08-20T15:23:11Z";
/** What a controller would have written after the second step of seed 000, in a cluster of Cluster API. */
const workload = sveltosObject("ClusterConfiguration", "capi--clusterapi-workload", "default", {
  status: {
    clusterProfileResources: [
      {
        clusterProfileName: "sveltos-2gv4dh8dl5fqy2z0amnx",
        Features: [{ featureID: "Resources", resources: [resource("batch", "Job", "todo-table", "2023-08-20T15:30:19Z")] }],
      },
      {
        clusterProfileName: "postgresql",
        Features: [
          {
            featureID: "Resources",
            resources: [resource("apps", "Deployment", "postgresql", first), resource("", "Service", "postgresql", first)],
          },
        ],
      },
    ],
  },
});

const chart = {
  repoURL: "https://charts.example.com",
  releaseName: "shop",
  namespace: "web",
  chartVersion: "1.2.3",
  appVersion: "9.9",
  lastAppliedTime: "2026-01-05T10:00:00Z",
};
const east = sveltosObject("ClusterConfiguration", "sveltos--east", "fleet", {
  status: {
    clusterProfileResources: [{ clusterProfileName: "web", Features: [{ featureID: "Helm", charts: [chart] }] }],
    profileResources: [{ profileName: "team", Features: [{ featureID: "Helm", charts: [chart] }] }],
  },
});

const difference = "--- deployed: ConfigMap first\n+++ proposed: ConfigMap first\n@@ -1 +1 @@\n-a\n+b\n";
const dryRun = sveltosObject(
  "ClusterReport",
  "dry--sveltos--east",
  "fleet",
  {
    spec: { clusterNamespace: "fleet", clusterName: "east" },
    status: {
      resourceReports: [{ action: "Update", message: difference, resource: resource("", "ConfigMap", "first", first) }],
      releaseReports: [{ action: "Install", chartName: "shop", releaseNamespace: "web", chartVersion: "2.0.0" }],
    },
  },
  ownedByProfile("dry"),
);

/** As a trigger generates it. */
const generated = sveltosObject(
  "ClusterProfile",
  "made",
  "",
  { spec: {} },
  {
    labels: originLabels({ trigger: "policies", eventSource: "services", cluster: { type: "Sveltos", namespace: "fleet", name: "west" } }),
  },
);
const west = sveltosObject("ClusterConfiguration", "sveltos--west", "events", {
  status: {
    clusterProfileResources: [
      { clusterProfileName: "made", Features: [{ featureID: "Resources", resources: [resource("", "ConfigMap", "answer", first)] }] },
    ],
  },
});

const objects: readonly KubeObject[] = [
  ...fleetClusters,
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "events" } },
  generated,
  west,
  workload,
  east,
  sveltosObject("ClusterProfile", "web", "", {
    spec: {
      clusterSelector: { matchLabels: { env: "prod" } },
      policyRefs: [
        { kind: "ConfigMap", namespace: "default", name: "rules", deploymentType: "Remote" },
        { kind: "Secret", name: "per-cluster", deploymentType: "Remote" },
      ],
    },
    status: { matchingClusters: [sveltosClusterReference("west"), sveltosClusterReference("east")] },
  }),
  sveltosObject("Profile", "team", "fleet", {
    spec: {
      clusterSelector: { matchLabels: { env: "prod" } },
      helmCharts: [
        { repositoryURL: "x", releaseName: "shop", releaseNamespace: "web", valuesFrom: [{ kind: "ConfigMap", name: "values" }] },
      ],
    },
    status: { matchingClusters: [sveltosClusterReference("east")] },
  }),
  sveltosObject("ClusterProfile", "dry", "", { spec: { syncMode: "DryRun" } }),
  dryRun,
];

test("in an empty fleet nothing is found, and nothing fails", async () => {
  await populateHub(hub, []);
  assert.deepEqual(await sluice("show", "addons"), { code: 0, out: "", err: "nothing is deployed in any cluster" });
  assert.deepEqual(await sluice("show", "usage"), { code: 0, out: "", err: "no profiles, and nothing that they use" });
  assert.deepEqual(await sluice("show", "events", "--all"), { code: 0, out: "", err: "nothing to tell" });
  assert.equal((await sluice("show", "dryrun", "-o", "json")).out, "[]");
  await createObjects(hub, objects);
});

test("show addons: the table of seed 000", async () => {
  const { code, out } = await sluice("show", "addons", "-n", "default");
  assert.equal(code, 0);
  assert.equal(
    out,
    `+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------------------+
|           CLUSTER           |  RESOURCE TYPE  | NAMESPACE |    NAME    | VERSION |             TIME              |       CLUSTER PROFILES       |
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------------------+
| default/clusterapi-workload | apps:Deployment | todo      | postgresql | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql                   |
| default/clusterapi-workload | :Service        | todo      | postgresql | N/A     | 2023-08-20 08:23:11 -0700 PDT | postgresql                   |
| default/clusterapi-workload | batch:Job       | todo      | todo-table | N/A     | 2023-08-20 08:30:19 -0700 PDT | sveltos-2gv4dh8dl5fqy2z0amnx |
+-----------------------------+-----------------+-----------+------------+---------+-------------------------------+------------------------------+`,
  );
});

test("show addons: the newer columns; what two profiles want stands there once", async () => {
  const { out } = await sluice("show", "addons", "--cluster", "east", "-o", "wide");
  assert.match(out, / TIME +\| DEPLOYMENT TYPE \| +PROFILES +\|$/m);
  assert.match(
    out,
    /^\| fleet\/east \| helm chart +\| web +\| shop \| 1\.2\.3 +\| 2026-01-05 02:00:00 -0800 PST \| Managed cluster \| ClusterProfile\/web;Profile\/team \|$/m,
  );
});

test("show addons: the trigger that made a profile, in a column and as data", async () => {
  const { out } = await sluice("show", "addons", "-n", "events");
  assert.match(out, /\| CLUSTER PROFILES \| EVENT TRIGGERS \|\n/);
  assert.match(out, /\| made +\| policies +\|$/m);
  const { out: json } = await sluice("show", "addons", "-n", "events", "-o", "json");
  assert.deepEqual((JSON.parse(json) as { profiles: object[] }[])[0]?.profiles, [
    { kind: "ClusterProfile", name: "made", trigger: "policies" },
  ]);
});

/** Names of what is shown, in order. */
const choices: Readonly<Record<string, readonly string[]>> = {
  "": ["postgresql", "postgresql", "todo-table", "answer", "shop"],
  "--cluster clusterapi-workload": ["postgresql", "postgresql", "todo-table"],
  "--profile postgresql": ["postgresql", "postgresql"],
  "--profile ClusterProfile/web": ["shop"],
  "--profile profile/team": ["shop"],
  "--helm-charts": ["shop"],
  "--resources": ["postgresql", "postgresql", "todo-table", "answer"],
  "-n fleet": ["shop"],
  "-n elsewhere": [],
  "--profile ClusterProfile/web --cluster west": [],
};

for (const [flags, names] of Object.entries(choices)) {
  test(`show addons ${flags}`, async () => {
    const { code, out } = await sluice("show", "addons", ...flags.split(" ").filter((word) => word !== ""), "-o", "json");
    assert.equal(code, 0);
    assert.deepEqual(
      (JSON.parse(out) as { name: string }[]).map(({ name }) => name),
      names,
    );
  });
}

test("show addons: as data", async () => {
  const { out } = await sluice("show", "addons", "--profile", "sveltos-2gv4dh8dl5fqy2z0amnx", "-o", "json");
  assert.deepEqual(JSON.parse(out), [
    {
      cluster: { type: "Capi", namespace: "default", name: "clusterapi-workload" },
      type: "resource",
      group: "batch",
      version: "v1",
      kind: "Job",
      namespace: "todo",
      name: "todo-table",
      lastAppliedTime: "2023-08-20T15:30:19Z",
      deploymentType: "Remote",
      profiles: [{ kind: "ClusterProfile", name: "sveltos-2gv4dh8dl5fqy2z0amnx" }],
    },
  ]);
  const { out: yaml } = await sluice("show", "addons", "--helm-charts", "-o", "yaml");
  assert.match(yaml, /^- appVersion: "9\.9"\n {2}chartVersion: 1\.2\.3\n/);
});

test("show usage: profiles and their clusters, ConfigMaps and Secrets and where they are used", async () => {
  const { code, out } = await sluice("show", "usage");
  assert.equal(code, 0);
  assert.equal(
    out,
    `+----------------+--------------------+---------------+------------+
| RESOURCE KIND  | RESOURCE NAMESPACE | RESOURCE NAME |  CLUSTERS  |
+----------------+--------------------+---------------+------------+
| ClusterProfile |                    | dry           |            |
| ClusterProfile |                    | made          |            |
| ClusterProfile |                    | web           | fleet/east |
|                |                    |               | fleet/west |
| Profile        | fleet              | team          | fleet/east |
| ConfigMap      | default            | rules         | fleet/east |
|                |                    |               | fleet/west |
| ConfigMap      | fleet              | values        | fleet/east |
| Secret         | fleet              | per-cluster   | fleet/east |
|                |                    |               | fleet/west |
+----------------+--------------------+---------------+------------+`,
  );
  const secrets = await sluice("show", "usage", "--kind", "Secret", "-n", "fleet", "-o", "json");
  const clusters = ["east", "west"].map((name) => ({ type: "Sveltos", namespace: "fleet", name }));
  assert.deepEqual(JSON.parse(secrets.out), [{ kind: "Secret", namespace: "fleet", name: "per-cluster", clusters }]);
});

test("show dryrun: the table, the differences, and both as data", async () => {
  const { code, out } = await sluice("show", "dryrun", "--profile", "ClusterProfile/dry");
  assert.equal(code, 0);
  assert.equal(
    out,
    `+------------+---------------+-----------+-------+---------+---------------------------------+--------------------+
|  CLUSTER   | RESOURCE TYPE | NAMESPACE | NAME  | ACTION  |             MESSAGE             |      PROFILE       |
+------------+---------------+-----------+-------+---------+---------------------------------+--------------------+
| fleet/east | helm release  | web       | shop  | Install |                                 | ClusterProfile/dry |
| fleet/east | :ConfigMap    | todo      | first | Update  | use --raw-diff to see full diff | ClusterProfile/dry |
+------------+---------------+-----------+-------+---------+---------------------------------+--------------------+`,
  );
  assert.equal((await sluice("show", "dryrun", "--raw-diff")).out, `Cluster: fleet/east\n${difference}`);
  const data = JSON.parse((await sluice("show", "dryrun", "--cluster", "east", "-o", "json")).out) as { message?: string }[];
  assert.deepEqual(
    data.map(({ message }) => message),
    [undefined, difference],
  );
  assert.equal((await sluice("show", "dryrun", "--cluster", "west", "--raw-diff")).err, "no object would be updated");
  assert.equal(
    (await sluice("show", "dryrun", "--cluster", "west")).err,
    "nothing that was asked for would be changed by a profile in DryRun mode",
  );
});

const missing: Readonly<Record<string, string>> = {
  "addons --cluster nowhere": "error: there is no cluster nowhere: sluice show clusters lists them",
  "addons --cluster east -n default": "error: there is no cluster east in namespace default: sluice show clusters lists them",
  "addons --profile Profile/web": "error: there is no profile Profile/web: sluice show usage lists them",
  "dryrun --profile nobody": "error: there is no profile nobody: sluice show usage lists them",
  "usage --kind ConfigMap --name nothing": "error: no profile uses ConfigMap nothing, nor is it one",
};

for (const [command, message] of Object.entries(missing)) {
  test(`not found: sluice show ${command}`, async () => {
    assert.deepEqual(await sluice("show", ...command.split(" ")), { code: 1, out: "", err: message });
  });
}

test("the context that is named is asked, and no other", async () => {
  assert.equal((await sluice("show", "addons", "--helm-charts", "--context", "sluice")).code, 0);
  const { code, out, err } = await sluice("show", "addons", "--context", "nowhere");
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /nowhere/);
});

const wrongUsage = [
  "addons --profile Deployment/web",
  "addons --profile a/b/c",
  "addons --profile /web",
  "addons -o text",
  "usage --kind Pod",
  "dryrun -o wide",
];

for (const command of wrongUsage) {
  test(`wrong usage: sluice show ${command}`, async () => {
    const { code, err } = await sluice("show", ...command.split(" "));
    assert.equal(code, 2);
    assert.notEqual(err, "");
  });
}

const role = (kind: string, namespace: object, rule: object) =>
  JSON.stringify({ apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name: "r", ...namespace }, rules: [rule] });

const roleRequest = (name: string, tenant: string, infos: Readonly<Record<string, string>>) =>
  sveltosObject("RoleRequest", name, "", {
    spec: { serviceAccountName: tenant, serviceAccountNamespace: "eng", roleRefs: [{ kind: "ConfigMap", namespace: "", name: "roles" }] },
    status: {
      clusterInfo: Object.entries(infos).map(([cluster, status]) => ({ cluster: sveltosClusterReference(cluster), hash: "YQ==", status })),
    },
  });

const left = (name: string, granted: readonly string[]) => {
  const object = roleRequest(name, name, { east: "Failed" });
  const infos = listAt(object, "status.clusterInfo").map((info) => ({ ...info, granted }));
  return { ...object, status: { clusterInfo: infos } };
};
const refs = [{ kind: "ConfigMap", namespace: "fleet", name: "left" }];
const withRefs = (object: KubeObject) => ({ ...object, spec: { ...fieldsAt(object, "spec"), roleRefs: refs } });
const rulesOf = async (tenant: string) => {
  const { out } = await sluice("show", "admin-rbac", "--serviceAccountName", tenant, "-o", "json");
  return (JSON.parse(out) as { namespace: string; resources: string[]; verbs: string[] }[]).map(({ namespace, resources, verbs }) => [
    namespace,
    ...resources,
    ...verbs,
  ]);
};
test("show admin-rbac: what is left of a RoleRequest that has failed", async () => {
  const data = { a: role("Role", { namespace: "web" }, { apiGroups: [""], resources: ["pods"], verbs: ["get"] }) };
  await createObjects(hub, [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "left", namespace: "fleet" }, data },
    withRefs(left("carol", ["Role web/carol--r"])),
    withRefs(left("dora", ["ClusterRole dora--gone"])),
  ]);
  assert.deepEqual(await rulesOf("carol"), [["web", "pods", "get"]]);
  assert.deepEqual(await rulesOf("dora"), [["*", "?", "?"]]);
  for (const name of ["carol", "dora"]) await hub.delete({ ...gvkOf("RoleRequest"), namespace: "", name });
});

test("show admin-rbac: who may do what where, as far as it is provisioned", async () => {
  const data = {
    a: role("Role", { namespace: "web" }, { apiGroups: ["", "apps"], resources: ["pods", "deployments"], verbs: ["get", "list"] }),
    b: role("ClusterRole", {}, { apiGroups: [""], resources: ["nodes"], resourceNames: ["n1"], verbs: ["*"] }),
  };
  await createObjects(hub, [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "roles", namespace: "fleet" }, data },
    roleRequest("a", "alice", { east: "Provisioned", west: "Failed" }),
    roleRequest("b", "bob", { west: "Provisioned" }),
  ]);
  const { code, out } = await sluice("show", "admin-rbac", "--serviceAccountName", "alice");
  assert.equal(code, 0);
  assert.equal(
    out,
    `+---------------------------+-----------+-----------+------------+------------------+----------------+----------+
|          CLUSTER          |   ADMIN   | NAMESPACE | API GROUPS |    RESOURCES     | RESOURCE NAMES |  VERBS   |
+---------------------------+-----------+-----------+------------+------------------+----------------+----------+
| SveltosCluster:fleet/east | eng/alice | *         |            | nodes            | n1             | *        |
| SveltosCluster:fleet/east | eng/alice | web       | ,apps      | pods,deployments | *              | get,list |
+---------------------------+-----------+-----------+------------+------------------+----------------+----------+`,
  );
  const west = await sluice("show", "admin-rbac", "--cluster", "west", "-n", "fleet", "-o", "json");
  assert.deepEqual(
    (JSON.parse(west.out) as { cluster: unknown; admin: string; roleRequest: string }[]).map(({ cluster, admin, roleRequest: by }) => [
      cluster,
      admin,
      by,
    ]),
    [
      [{ type: "Sveltos", namespace: "fleet", name: "west" }, "eng/bob", "b"],
      [{ type: "Sveltos", namespace: "fleet", name: "west" }, "eng/bob", "b"],
    ],
  );
  assert.equal(
    (await sluice("show", "admin-rbac", "--serviceAccountNamespace", "ops")).err,
    "no RoleRequest grants anything that was asked for",
  );
  assert.match((await sluice("show", "admin-rbac", "--cluster", "nowhere")).err, /nowhere/);
});
