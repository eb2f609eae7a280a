/** What `show` and `why` say of a fleet on a real control plane, to those who may read everything and to those who may not. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { clusterSummaryLabels, originLabels } from "../../src/sveltos/api/index.ts";
import { register } from "../../src/sveltos/fleet/index.ts";
import { newInformer, openCluster } from "../../src/kube/index.ts";
import { listAt, type KubeObject } from "../../src/core/object/index.ts";
import { runSluice, testFolder, type SluiceResult } from "../support/command-line.ts";
import { ownedByProfile, populateHub, sveltosClusterReference, sveltosObject } from "../support/fleet-objects.ts";
import { writeLimitedKubeconfig } from "./limited-kubeconfig.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { startCluster } from "./start-cluster.ts";

const limits = { timeout: 120_000 };
const running = await startCluster(process.env[environmentVariables.kubectl] ?? "", { name: "queries" });
const opened = await openCluster({ kubeconfig: running.kubeconfig });
const { cluster: hub } = opened;
const limited = `${testFolder("fleet-queries").path}/limited`;
after(async () => {
  opened.close();
  await running.stop();
});

const all = (words: string) => runSluice(...words.split(" "), "--kubeconfig", running.kubeconfig);
const some = (words: string) => runSluice(...words.split(" "), "--kubeconfig", limited);

const east = { type: "Sveltos", namespace: "fleet", name: "east" } as const;
const matching = { matchingClusters: [sveltosClusterReference("east")] };
const clusterSelector = { matchLabels: { env: "prod" } };

function deployed(name: string, status: object, labels = {}): readonly KubeObject[] {
  const spec = { clusterNamespace: "fleet", clusterName: "east", clusterType: "Sveltos", clusterProfileSpec: {} };
  const metadata = { ...ownedByProfile(name), labels: clusterSummaryLabels("ClusterProfile", { name, labels }, east) };
  return [
    sveltosObject("ClusterProfile", name, "", { spec: { clusterSelector }, status: matching }, { labels }),
    sveltosObject("ClusterSummary", `${name}-sveltos-east`, "fleet", { spec, status }, metadata),
  ];
}

const provisioned = { featureSummaries: [{ featureID: "Resources", status: "Provisioned" }] };
const failed = { featureSummaries: [{ featureID: "Resources", status: "Failed", failureMessage: "no such thing" }] };
const resource = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  namespace: "default",
  name: "web",
  ignoreForConfigurationDrift: false,
};
const origin = originLabels({ trigger: "policies", eventSource: "services", cluster: east });
const pods = { app: "web" };

before(async () => {
  await populateHub(hub, [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "fleet" } },
    ...deployed("made", provisioned, origin),
    ...deployed("failing", failed),
    sveltosObject("EventSource", "services", "", { spec: { resourceSelectors: [{ group: "", version: "v1", kind: "Service" }] } }),
    sveltosObject("EventReport", "sveltos--services--east", "fleet", {
      spec: {
        clusterNamespace: "fleet",
        clusterName: "east",
        clusterType: "Sveltos",
        eventSourceName: "services",
        matchingResources: [{ apiVersion: "v1", kind: "Service", namespace: "default", name: "kubernetes" }],
      },
    }),
    sveltosObject("EventTrigger", "policies", "", {
      spec: { sourceClusterSelector: clusterSelector, eventSourceName: "services" },
      status: matching,
    }),
    sveltosObject("ClusterConfiguration", "sveltos--east", "fleet", {
      status: { clusterProfileResources: [{ clusterProfileName: "made", Features: [{ featureID: "Resources", resources: [resource] }] }] },
    }),
  ]);
  // The cluster manages itself, and has no nodes.
  await register(
    hub,
    { namespace: "fleet", name: "east", kubeconfig: readFileSync(running.kubeconfig, "utf8"), labels: { env: "prod" } },
    new AbortController().signal,
  );
  const ref = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace: "fleet", name: "east" };
  await hub.patch(ref, { type: "merge", patch: { status: { ready: true } } }, { subresource: "status" });
  await hub.create({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
    spec: {
      selector: { matchLabels: pods },
      template: { metadata: { labels: pods }, spec: { containers: [{ name: "web", image: "web:1" }] } },
    },
  });
  for await (const event of newInformer(hub, { group: "", version: "v1", kind: "Pod" }, { namespace: "default" }))
    if ("object" in event && listAt(event.object, "status.conditions").some(({ reason }) => reason === "Unschedulable")) break;
  await writeLimitedKubeconfig(hub, running.kubeconfig, { namespace: "fleet", name: "reader", rules: [] }, limited);
  const groups = {
    apiGroups: ["config.projectsveltos.io"],
    resources: ["clusterprofiles", "profiles", "clustersummaries", "clusterconfigurations"],
  };
  const clusters = { apiGroups: ["lib.projectsveltos.io"], resources: ["sveltosclusters", "eventtriggers"] };
  const rbac = "rbac.authorization.k8s.io";
  const rules = [groups, clusters].map((rule) => ({ ...rule, verbs: ["get", "list", "watch"] }));
  await hub.create({ apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name: "reader" }, rules });
  await hub.create({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "reader" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "reader" },
    subjects: [{ kind: "ServiceAccount", name: "reader", namespace: "fleet" }],
  });
}, limits);

function assertSays({ code, out, err }: SluiceResult, patterns: readonly RegExp[]): void {
  assert.equal(code, 0, err);
  for (const pattern of patterns) assert.match(`${out}\n${err}`, pattern);
}

test("whoever may read everything sees the whole chain, down to the pod that no node takes", limits, async () => {
  assertSays(await all("why EventTrigger/policies"), [
    /^EventTrigger\/policies in fleet\/east: (?:is broken|waits) at deployment\/web in default$/m,
    /ok +eventreport\/sveltos--services--east in fleet: matches: Service default\/kubernetes$/m,
    /ok +clusterprofile\/made$/m,
    /deployment\/web in default: .*pod web-\S+ .*no nodes available/,
  ]);
  assertSays(await all("show resources"), [
    /\| fleet\/east \| apps:Deployment \| default +\| web +\| (?:failed|progressing) \|/,
    /^0 of 1 objects ready/m,
  ]);
  assertSays(await all("show events"), [/failing +clusterprofile\/failing +fleet\/east +ResourcesFailed +no such thing/]);
  assertSays(await all("show addons"), [/\| made +\| policies +\|/]);
});

test("whoever may read a part is told what is missing, and shown the rest", limits, async () => {
  assertSays(await some("show events"), [
    /failing +clusterprofile\/failing +fleet\/east +ResourcesFailed +no such thing/,
    /^warning: EventSource objects cannot be read, and what they say is missing here: .*forbidden/m,
    /^warning: Event objects cannot be read/m,
  ]);
  assertSays(await some("show resources"), [
    /^warning: cluster fleet\/east cannot be asked: .*secrets "east-sveltos-kubeconfig" is forbidden/m,
    /\| web +\| unknown \|/,
  ]);
  assertSays(await some("why EventTrigger/policies"), [
    /^EventTrigger\/policies in fleet\/east: is not known beyond eventsource\/services$/m,
    /unknown +eventreport\/sveltos--services--east in fleet: it may not be read$/m,
    /unknown +clusterconfiguration\/sveltos--east in fleet: the cluster cannot be asked: .*forbidden/,
  ]);
});
