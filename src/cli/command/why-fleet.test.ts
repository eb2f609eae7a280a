import assert from "node:assert/strict";
import { test } from "node:test";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";
import {
  controllerLease,
  listedResource,
  openHub,
  ownedByProfile,
  populateHub,
  sveltosClusterReference,
  sveltosObject,
} from "../../../test/support/fleet-objects.ts";
import { newInformer, openCluster } from "../../kube/index.ts";
import { listAt, numberAt, refOf, type KubeObject, type ObjectMeta } from "../../core/object/index.ts";
import { clusterSummaryLabels, originLabels } from "../../sveltos/api/index.ts";
import { fleetChainLines, plainPaint, type ChainLink } from "../../view/index.ts";
import { groupChains, type FleetChain } from "../../sveltos/inspect/index.ts";

const folder = testFolder("why-fleet");
const { kubeconfig, sluice } = await serveClusters(folder, "--clusters", "2", "--speed", "100");
const hub = await openHub(kubeconfig);
const east = { type: "Sveltos", namespace: "fleet", name: "east" } as const;
const selector = { matchLabels: { env: "prod" } };
const matching = { matchingClusters: [sveltosClusterReference("east")] };

/** A profile with what a controller has made of it in east: its ClusterSummary, in this state. */
function deployed(name: string, status: object, { labels = {}, policyRefs = [] as object[] } = {}): readonly KubeObject[] {
  const spec = { clusterNamespace: "fleet", clusterName: "east", clusterType: "Sveltos", clusterProfileSpec: { policyRefs } };
  const metadata: Partial<ObjectMeta> = { ...ownedByProfile(name), labels: clusterSummaryLabels("ClusterProfile", { name, labels }, east) };
  return [
    sveltosObject("ClusterProfile", name, "", { spec: { clusterSelector: selector, policyRefs }, status: matching }, { labels }),
    sveltosObject("ClusterSummary", `${name}-sveltos-east`, "fleet", { spec, status }, metadata),
  ];
}

const feature = (status: string, failureMessage?: string, featureID = "Resources") => ({
  featureSummaries: [{ featureID, status, ...(failureMessage === undefined ? {} : { failureMessage }) }],
});
const origin = { trigger: "policies", eventSource: "services", cluster: east, resource: { namespace: "shop", name: "web" } };
const listed = (clusterProfileName: string, ...resources: object[]) => ({
  clusterProfileName,
  Features: [{ featureID: "Resources", resources }],
});
const trigger = (name: string, eventSourceName: string, status: object, spec: object = {}) =>
  sveltosObject("EventTrigger", name, "", { spec: { sourceClusterSelector: selector, eventSourceName, ...spec }, status });
const source = (name: string, status = {}, evaluate?: string) =>
  sveltosObject("EventSource", name, "", {
    spec: { resourceSelectors: [{ group: "", version: "v1", kind: "Service", evaluate }] },
    status,
  });
const report = (eventSource: string, matchingResources: readonly object[]) =>
  sveltosObject("EventReport", `sveltos--${eventSource}--east`, "fleet", {
    spec: {
      clusterNamespace: "fleet",
      clusterName: "east",
      clusterType: "Sveltos",
      eventSourceName: eventSource,
      ...(matchingResources.length > 0 && { matchingResources }),
    },
  });
const failure = { resource: { kind: "Service", namespace: "shop", name: "web" }, message: "script.lua:1: no such field" };
/** The status of a trigger that has failed in east. */
const failed = (failureMessage: string) => ({
  ...matching,
  clusterInfo: [{ cluster: sveltosClusterReference("east"), hash: "YQ==", status: "Failed", failureMessage }],
});
const unlisted =
  'v1 Service: list services: services is forbidden: User "system:serviceaccount:projectsveltos:eng--alice" cannot list resource "services" in API group "" at the cluster scope';
const alice = "ServiceAccount eng/alice in cluster fleet/east";
const denial = (account: string) =>
  `secrets "x" is forbidden: User "system:serviceaccount:${account}" cannot get resource "secrets" in API group "" in the namespace "team-b"`;
const ungranted = `${alice}: nothing is granted to it there: no RoleRequest of it is provisioned in that cluster`;
const foreign =
  "it is of those who run the platform, and the trigger of ServiceAccount eng/alice: a tenant can use its own EventSources only";

await populateHub(hub, [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "fleet" } },
  ...deployed("fine", feature("Provisioned")),
  ...deployed("missing", feature("FailedNonRetriable", "Referenced resource: ConfigMap default/nowhere does not exist")),
  ...deployed("taken", feature("Failed", "Object ConfigMap:default/a currently deployed because of ConfigMap default/b.")),
  ...deployed("chart", feature("Failed", "load chart nope 1.0.0 of http://x: not found", "Helm")),
  ...deployed(
    "later",
    { dependencies: "waiting: ClusterProfile chart is not provisioned yet (Helm)" },
    { policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "a", deploymentType: "Remote" }] },
  ),
  ...deployed("denied", feature("Failed", `${alice}: get Secret team-b/x: ${denial("projectsveltos:eng--alice")}`)),
  ...deployed("unread", feature("Failed", `${alice}: get Secret ops/x: ${denial("eng:alice")}`)),
  ...deployed("ungranted", { failureMessage: ungranted }),
  ...deployed("crash", feature("Provisioned")),
  ...deployed("made", feature("Provisioned"), { labels: originLabels(origin) }),
  sveltosObject("ClusterProfile", "idle", "", { spec: { clusterSelector: { matchLabels: { env: "prd" } } } }),
  sveltosObject("ClusterProfile", "refused", "", {
    spec: { clusterSelector: selector, kustomizationRefs: [{ kind: "ConfigMap", name: "a" }] },
  }),
  sveltosObject("ClusterConfiguration", "sveltos--east", "fleet", {
    status: {
      clusterProfileResources: [
        listed("fine", listedResource("", "ConfigMap", "here")),
        listed("crash", listedResource("", "ConfigMap", "here"), listedResource("apps", "Deployment", "web")),
        listed("made", listedResource("", "ConfigMap", "gone")),
      ],
    },
  }),
  source("services"),
  source(
    "broken",
    { clusterInfo: [{ cluster: sveltosClusterReference("east"), failures: [failure], matchingResources: 0 }] },
    "function evaluate() return {matching = obj.a.b} end",
  ),
  source("quiet"),
  source("unused"),
  report("services", [{ apiVersion: "v1", kind: "Service", namespace: "shop", name: "web" }]),
  report("broken", []),
  report("quiet", []),
  trigger("policies", "services", matching),
  trigger("scripted", "broken", matching),
  trigger("silent", '{{ printf "%s" "quiet" }}', matching),
  trigger("sourceless", "nowhere", matching),
  trigger("failing", "services", failed("policy.yaml:3: no such field")),
  source("unlisted", {
    clusterInfo: [{ cluster: sveltosClusterReference("east"), failures: [{ message: unlisted }], matchingResources: 0 }],
  }),
  report("unlisted", []),
  trigger("unlisting", "unlisted", failed(`EventSource unlisted: ${unlisted}`)),
  trigger("foreign", "services", failed(`EventSource services: ${foreign}`)),
  trigger("unreading", "services", failed(`ServiceAccount eng/alice in the management cluster: ${denial("eng:alice")}`)),
  trigger("off", "services", {}, { sourceClusterSelector: { matchLabels: { env: "prd" } } }),
]);

const dead = `apiVersion: v1
kind: Config
current-context: x
clusters: [{name: x, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: x, user: {token: x}}]
contexts: [{name: x, context: {cluster: x, user: x}}]
`;
const here = ["-n", "fleet", "--management-kubeconfig", kubeconfig] as const;
await sluice("register", "cluster", "east", ...here, "--fleet-cluster-context", "sluice-2", "--labels", "env=prod");
await runSluice("register", "cluster", "dead", ...here, "--kubeconfig", folder.file("dead.yaml", dead), "--labels", "env=lost");
for (const [name, ready] of [
  ["east", true],
  ["dead", false],
] as const) {
  const ref = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace: "fleet", name };
  const status = ready ? { ready } : { ready, connectionStatus: "Down", failureMessage: "nothing answers" };
  await hub.patch(ref, { type: "merge", patch: { status } }, { subresource: "status" });
}
const { cluster: managed, close } = await openCluster({ kubeconfig, context: "sluice-2" });
await managed.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "here", namespace: "default" } });
const labels = { app: "web" };
await managed.create({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: "web", image: "web:1", command: ["sh", "-c", "echo no database; exit 1"] }] },
    },
  },
});
for await (const event of newInformer(managed, { group: "", version: "v1", kind: "Pod" }, { namespace: "default" }))
  if (event.type === "modified" && listAt(event.object, "status.containerStatuses").some((each) => numberAt(each, "restartCount", 0) > 0))
    break;
close();

/** The first line, and of the link where the chain is broken what is said and advised. */
const cases: Readonly<Record<string, readonly RegExp[]>> = {
  "ClusterProfile/fine": [
    /^ClusterProfile\/fine in fleet\/east: nothing is wrong$/m,
    /^ {2}ok +clusterconfiguration\/sveltos--east in fleet: what it lists of the profile is ready$/m,
  ],
  "clusterprofile/missing": [
    /is broken at feature\/Resources$/m,
    /what to do: create ConfigMap default\/nowhere in the management cluster/,
  ],
  "ClusterProfile/taken": [/is broken at feature\/Resources$/m, /what to do: another profile has it: .*spec\.tier/],
  "ClusterProfile/chart": [/is broken at feature\/Helm$/m, /what to do: correct repositoryURL/],
  "ClusterProfile/later": [/waits at clustersummary\/later-sveltos-east in fleet$/m, /what to do: sluice why ClusterProfile\/chart says/],
  "ClusterProfile/denied": [/what to do: add this right to the roles that a RoleRequest of ServiceAccount eng\/alice refers to$/m],
  "ClusterProfile/unread": [/what to do: give ServiceAccount eng\/alice this right by a Role in the management cluster$/m],
  "ClusterProfile/ungranted": [
    /what to do: see that a RoleRequest names ServiceAccount eng\/alice, that its spec\.clusterSelector matches cluster fleet\/east, and what its status says$/m,
  ],
  "EventTrigger/unreading": [/what to do: give ServiceAccount eng\/alice this right by a Role in the management cluster$/m],
  "ClusterProfile/crash": [
    /is broken at deployment\/web in default$|waits at deployment\/web in default$/m,
    /ok +feature\/Resources: Provisioned$/m,
    /deployment\/web in default: .*pod web-\S+: container web crashes \(exit code 1/,
    /\| web-\S+ web: no database$/m,
  ],
  "ClusterSummary/crash-sveltos-east": [
    /^ClusterSummary\/crash-sveltos-east in fleet\/east: (?:is broken|waits) at deployment\/web in default$/m,
  ],
  "ClusterProfile/idle": [
    /is broken at clusterprofile\/idle$/m,
    /: it matches no cluster$/m,
    /what to do: compare its spec\.clusterSelector/,
  ],
  "ClusterProfile/idle --cluster east": [/it does not match cluster fleet\/east, whose labels are env=prod/],
  "ClusterProfile/refused": [/is broken at clusterprofile\/refused$/m, /not built into Sluice|kustomizationRefs/],
  "EventTrigger/policies": [
    /^EventTrigger\/policies in fleet\/east: is broken at configmap\/gone in default$/m,
    /ok +eventreport\/sveltos--services--east in fleet: matches: Service shop\/web\n +ok +eventtrigger\/policies\n +ok +clusterprofile\/made\n/,
    /configmap\/gone in default: it does not exist/,
  ],
  "ClusterProfile/made": [/^ClusterProfile\/made in fleet\/east: is broken at configmap\/gone/m, /eventreport.*matches: Service shop\/web/],
  "EventSource/services": [/is broken at configmap\/gone/, /is broken at eventtrigger\/failing$/m],
  "EventTrigger/scripted": [
    /is broken at eventsource\/broken$/m,
    /it cannot judge Service shop\/web: script\.lua:1: no such field/,
    /what to do: correct its script/,
  ],
  "EventTrigger/silent": [/waits at eventreport\/sveltos--quiet--east in fleet$/m, /no object matches/],
  "EventSource/quiet": [/^EventSource\/quiet in fleet\/east: waits at eventreport/m],
  "EventTrigger/sourceless": [
    /is broken at eventsource\/nowhere$/m,
    /what to do: create it, or correct spec\.eventSourceName of EventTrigger sourceless/,
  ],
  "EventTrigger/failing": [/is broken at eventtrigger\/failing$/m, /policy\.yaml:3: no such field/],
  "EventTrigger/unlisting": [
    /is broken at eventsource\/unlisted$/m,
    /broken +eventsource\/unlisted: v1 Service: list services: .*cluster scope\n +what to do: add this right to the roles that a RoleRequest of ServiceAccount eng\/alice refers to/,
    /broken +eventtrigger\/unlisting: EventSource unlisted: v1 Service: list services: .*\n?$/m,
  ],
  "EventTrigger/foreign": [
    /is broken at eventtrigger\/foreign$/m,
    /ok +eventsource\/services$/m,
    /broken +eventtrigger\/foreign: EventSource services: it is of those who run the platform, .*: a tenant can use its own EventSources only$/m,
  ],
  "EventTrigger/off": [/is broken at eventtrigger\/off$/m, /it matches no cluster/],
  "EventTrigger/policies --cluster fleet/dead": [/it does not match cluster fleet\/dead, whose labels are env=lost/],
  "EventSource/unused": [/no EventTrigger names it/],
};

for (const [words, patterns] of Object.entries(cases)) {
  test(`why ${words}`, async () => {
    const { code, out, err } = await sluice("why", ...words.split(" "));
    assert.deepEqual([code, err], [0, ""]);
    for (const pattern of patterns) assert.match(out, pattern);
  });
}

test("why: what is missing while it is withdrawn is no reason to deploy it again", async () => {
  const ref = {
    group: "config.projectsveltos.io",
    version: "v1beta1",
    kind: "ClusterSummary",
    namespace: "fleet",
    name: "made-sveltos-east",
  };
  await hub.patch(ref, { type: "merge", patch: { metadata: { finalizers: ["example.com/held"] } } });
  await hub.delete(ref);
  const { out } = await sluice("why", "ClusterProfile/made");
  assert.match(out, /^ClusterProfile\/made in fleet\/east: waits at clustersummary\/made-sveltos-east in fleet$/m);
  assert.match(out, /: it is being withdrawn$/m);
  assert.doesNotMatch(out, /redeploy|configmap\/gone/);
});

test("why: what a tenant without a grant cannot withdraw goes when its labels do", async () => {
  const labels = { "projectsveltos.io/serviceaccount-name": "alice", "projectsveltos.io/serviceaccount-namespace": "eng" };
  const { out } = await sluice("why", await blockedProfile("kept", labels));
  assert.match(out, /broken +clusterprofile\/kept: .*what it has deployed cannot be withdrawn: .*: nothing is granted to it there/);
  assert.match(
    out,
    /what to do: see that a RoleRequest names .*; or withdraw it with the rights of the platform: kubectl label clusterprofile kept projectsveltos\.io\/serviceaccount-name- projectsveltos\.io\/serviceaccount-namespace-$/m,
  );
});

test("why: of a trigger that is being deleted that comes first, then what holds it up, and nothing that it no longer does", async () => {
  const labels = {
    ...originLabels({ trigger: "leaving", eventSource: "services", cluster: east }),
    "projectsveltos.io/serviceaccount-name": "alice",
    "projectsveltos.io/serviceaccount-namespace": "eng",
  };
  await blockedProfile("left", labels);
  const spec = { sourceClusterSelector: selector, eventSourceName: "nowhere" };
  const leaving = sveltosObject("EventTrigger", "leaving", "", { spec });
  await deleteBlocked(leaving, `ClusterProfile left: ${blocked}`);
  const { out } = await sluice("why", "EventTrigger/leaving");
  const [head = "", first = "", ...rest] = out.split("\n");
  assert.equal(head, "EventTrigger/leaving in fleet/east: is broken at eventtrigger/leaving");
  assert.match(
    first,
    /^ {2}broken +eventtrigger\/leaving: it is being deleted, kept by the finalizers example\.com\/held: ClusterProfile left: what/,
  );
  assert.match(
    rest.join("\n"),
    /^ {2}broken +clusterprofile\/left: it is being deleted, kept .*: what it has deployed cannot be withdrawn: /m,
  );
  assert.match(rest.join("\n"), /or withdraw it with the rights of the platform: kubectl label clusterprofile left /);
  assert.doesNotMatch(out, /eventsource|eventreport|does not match|evaluated|controller is running|does not have it yet|there is none yet/);
});

test("why: a trigger that is being deleted and has nothing left to withdraw", async () => {
  const idle = sveltosObject("EventTrigger", "gone", "", { spec: { sourceClusterSelector: selector, eventSourceName: "services" } });
  await deleteBlocked(idle);
  const { out } = await sluice("why", "EventTrigger/gone");
  assert.equal(
    out,
    "EventTrigger/gone: waits at eventtrigger/gone\n  waiting  eventtrigger/gone: it is being deleted, kept by the finalizers example.com/held",
  );
});

const blocked = `what it has deployed cannot be withdrawn: cluster fleet/east: ${ungranted}`;

/** Creates an object, and deletes it with a finalizer that stays. */
async function deleteBlocked(object: KubeObject, message?: string): Promise<void> {
  const conditions = message === undefined ? [] : [{ type: "WithdrawalBlocked", status: "True", reason: "WithdrawalFailed", message }];
  await hub.create({ ...object, metadata: { ...object.metadata, finalizers: ["example.com/held"] } });
  await hub.patch(refOf(object), { type: "merge", patch: { status: { conditions } } }, { subresource: "status" });
  await hub.delete(refOf(object));
}

/** A profile that is being deleted, and whose withdrawal nobody has the right to. */
async function blockedProfile(name: string, own: Readonly<Record<string, string>>): Promise<string> {
  await deleteBlocked(sveltosObject("ClusterProfile", name, "", { spec: { clusterSelector: selector } }, { labels: own }), blocked);
  return `ClusterProfile/${name}`;
}

test("why: a cluster that the selector means and that cannot be reached", async () => {
  const profile = { ...sveltosObject("ClusterProfile", "lost", "", { spec: { clusterSelector: { matchLabels: { env: "lost" } } } }) };
  await hub.create(profile);
  const { out } = await sluice("why", "ClusterProfile/lost");
  assert.match(out, /^ClusterProfile\/lost in fleet\/dead: is broken at sveltoscluster\/dead in fleet$/m);
  assert.match(out, /broken +sveltoscluster\/dead in fleet: nothing answers$/m);
});

test("why: without a controller that is the first link, and it is broken", async () => {
  const lease = controllerLease(hub.clock.now());
  await hub.delete(refOf(lease));
  const { out } = await sluice("why", "ClusterProfile/lost");
  await hub.create(lease);
  assert.match(
    out,
    /: is broken at lease\/sluice-leader in projectsveltos\n +broken +lease\/sluice-leader in projectsveltos: no controller is running/,
  );
  assert.match(out, /what to do: start one with sluice controller/);
});

test("of a rule that does not compile apply warns, and why names it before anything uses it", async () => {
  const spec = { resourceSelectors: [{ group: "", version: "v1", kind: "Service", evaluateCEL: [{ name: "x", rule: "resource." }] }] };
  const file = folder.file("misspelt.yaml", JSON.stringify(sveltosObject("EventSource", "misspelt", "", { spec })));
  assert.match(
    (await sluice("apply", file, "--no-wait")).err,
    /^warning: \S+: eventsource\/misspelt: spec\.resourceSelectors\[0\]\.evaluateCEL: CEL/,
  );
  const { out } = await sluice("why", "EventSource/misspelt");
  assert.match(out, /broken +eventsource\/misspelt: spec\.resourceSelectors\[0\]\.evaluateCEL: CEL rule x: /);
});

test("why: as data", async () => {
  const { out } = await sluice("why", "ClusterProfile/missing", "-o", "json");
  const { object, chains } = JSON.parse(out) as {
    object: object;
    chains: { brokenAt: number; clusters: object[]; links: { state: string }[] }[];
  };
  assert.deepEqual(object, { kind: "ClusterProfile", name: "missing", namespace: "" });
  assert.deepEqual(chains[0]?.clusters, [east]);
  assert.equal(chains[0]?.links[chains[0].brokenAt]?.state, "broken");
  assert.match((await sluice("why", "ClusterProfile/missing", "-o", "yaml")).out, /^chains:\n/);
});

const wrong: Readonly<Record<string, readonly [number, RegExp]>> = {
  "ClusterProfile/nobody": [1, /^error: there is no ClusterProfile nobody$/],
  "Deployment/web": [2, /expected a release, or one of ClusterProfile\/NAME/],
  "ClusterProfile/a/b": [2, /expected a release/],
  "ClusterProfile/fine --cluster nowhere": [1, /there is no cluster nowhere/],
  "some-release --cluster east": [2, /--cluster is for the fleet/],
};

for (const [words, [code, pattern]] of Object.entries(wrong)) {
  test(`why ${words}: refused`, async () => {
    const found = await sluice("why", ...words.split(" "));
    assert.equal(found.code, code);
    assert.match(found.err, pattern);
  });
}

const link = (state: ChainLink["state"], kind: string, name: string, message = "", more = {}): ChainLink => ({
  object: { kind, namespace: "", name },
  state,
  message,
  ...more,
});

function chain(cluster: string, ...links: readonly ChainLink[]): FleetChain {
  return { clusters: [{ type: "Sveltos", namespace: "fleet", name: cluster }], links: [link("ok", "ClusterProfile", "web"), ...links] };
}

const pod = (name: string) => `pod ${name}: container web crashes`;

test("chains that are broken for the same reason are one, those that are broken first", () => {
  const many = Array.from({ length: 1000 }, (_, at) => chain(`c${at}`, link("ok", "Feature", "Helm")));
  const broken = ["x", "b", "a"].map((name) => chain(name, link("broken", "Deployment", "web", pod(`web-5d9c7b8f6-${name}2345`))));
  const summary = chain("east", link("broken", "ClusterSummary", "web-sveltos-east", "web-sveltos-east: forbidden"));
  const other = chain("west", link("broken", "ClusterSummary", "web-sveltos-west", "web-sveltos-west: forbidden"));
  const waiting = chain("late", link("waiting", "Feature", "Helm", "Provisioning"));
  assert.deepEqual(
    groupChains([...many, waiting, ...broken, summary, other]).map(({ clusters, brokenAt, links }) => [
      clusters.length,
      clusters[0]?.name,
      brokenAt === undefined ? "ok" : links[brokenAt]?.state,
    ]),
    [
      [3, "a", "broken"],
      [2, "east", "broken"],
      [1, "late", "waiting"],
      [1000, "c0", "ok"],
    ],
  );
});

test("events whose chains are broken for the same reason are one chain, with their number", () => {
  const events = Array.from({ length: 6 }, (_, at): FleetChain => {
    const name = `service-${at}`;
    const failure = link(
      "broken",
      "Feature",
      "Resources",
      `ConfigMap projectsveltos/sveltos-zl06zko9a7sfac4ec6k${at} a.yaml:1: for-${name}_ is invalid`,
    );
    return { ...chain("a", at < 4 ? failure : link("ok", "Feature", "Resources")), event: { namespace: "shop", name } };
  });
  const heads = fleetChainLines("EventTrigger/t", groupChains(events), plainPaint).filter((line) => line.startsWith("EventTrigger"));
  assert.deepEqual(heads, [
    "EventTrigger/t in fleet/a, for 4 events such as this: is broken at feature/Resources",
    "EventTrigger/t in fleet/a, for 2 events such as this: nothing is wrong",
  ]);
});

test("the lines of a chain: every link, the first that is broken, what it has written and what to do", () => {
  const details = { details: ["web-1 web: \u001b[31mno database\u001b[0m"], advice: "correct it" };
  const waiting = link("waiting", "EventReport", "later", "not yet", { advice: "wait" });
  const clusters = ["a", "b", "c", "d"].map((name) => chain(name, link("broken", "Deployment", "web", "it\ncrashes", details), waiting));
  assert.deepEqual(fleetChainLines("ClusterProfile/web", groupChains(clusters), plainPaint), [
    "ClusterProfile/web in fleet/a, fleet/b, fleet/c, … (4 clusters): is broken at deployment/web",
    "  ok       clusterprofile/web",
    "  broken   deployment/web: it crashes",
    "           | web-1 web: no database",
    "           what to do: correct it",
    "  waiting  eventreport/later: not yet",
  ]);
  const different = Array.from({ length: 12 }, (_, at) => chain("a", link("broken", "Deployment", `d${"x".repeat(at)}`)));
  assert.equal(
    fleetChainLines("ClusterProfile/web", groupChains(different), plainPaint).at(-1),
    "and 2 more chains: --cluster narrows it, -o json shows all",
  );
});
