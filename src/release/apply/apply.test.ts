import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect, ConnectionFault, type Cluster } from "../../kube/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { prepare } from "../prepare/index.ts";
import { apply, type ApplyRunOptions } from "./index.ts";

const { signal } = new AbortController();

function startCluster(behaviour: unknown = []): { clock: VirtualClock; cluster: Cluster } {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock, behaviour: parseBehaviour(behaviour).behaviour });
  return { clock, cluster: connect(exchange, { clock }) };
}

/** The progress, one line per event; a thrown fault is the last. */
async function applyLines(
  { clock, cluster }: ReturnType<typeof startCluster>,
  yaml: string,
  options: Partial<ApplyRunOptions> = {},
): Promise<string[]> {
  const lines: string[] = [];
  const run = async () => {
    const { manifests, problems } = readManifests(yaml, "app.yaml");
    assert.deepEqual(problems, []);
    const { items: prepared } = await prepare(manifests, cluster, { signal });
    for await (const progress of apply(prepared, cluster, { signal, ...options })) {
      if (progress.type === "done" && progress.status === "failed") lines.push(`! ${progress.because}`);
      if (!("verb" in progress)) continue;
      const because = "because" in progress && progress.because !== undefined ? `: ${progress.because}` : "";
      lines.push(`${progress.type} ${progress.verb} ${titleOf(progress.ref)}${because}`);
    }
  };
  await clock.until(run().catch((error: Error) => void lines.push(`! ${error.message}`)));
  return lines;
}

const configMap = (name: string, more = "") => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
const deployment = (name: string, image: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: c, image: "${image}"}]}
`;

test("foundations come first and are ready before the rest is applied", async () => {
  const widgets = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
  const widget = "---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\n";
  const shop = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";
  const lines = await applyLines(startCluster(), widget + widgets + shop);
  const place = (line: string) => lines.findIndex((each) => each.startsWith(line));
  assert.ok(place("finished await customresourcedefinition/widgets.example.com") < place("started apply widget/w"));
  assert.ok(place("finished await namespace/shop") < place("started apply widget/w"));
  assert.equal(lines.at(-1), "finished await widget/w");
});

test("a workload is followed until it is ready, with reasons on the way", async () => {
  const lines = await applyLines(startCluster([{ match: {}, pull: "5s" }]), deployment("web", "nginx:1"));
  assert.deepEqual(lines.slice(0, 2), ["started apply deployment/web", "finished apply deployment/web: created"]);
  assert.ok(lines.some((line) => line.startsWith("waiting await deployment/web: 0 of 1 replicas")));
  assert.equal(lines.at(-1), "finished await deployment/web");
});

test("an image that cannot be pulled fails it at once, with the pod and the reason", async () => {
  const lines = await applyLines(startCluster(), deployment("web", "registry.invalid/web:1"));
  assert.match(lines.at(-1) ?? "", /^! deployment\/web: .*pod web-.*(ErrImagePull|ImagePullBackOff)/);
});

test("what the API server refuses is reported before anything is applied", async () => {
  const at = startCluster();
  const wrong = deployment("bad", "nginx").replace("matchLabels: {app: bad}", "matchLabels: {app: other}");
  const lines = await applyLines(at, configMap("a") + wrong);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^! app\.yaml:\d+: deployment\/bad: Deployment\.apps "bad" is invalid: .*selector/);
  assert.equal(await at.cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" }), undefined);
});

test("a field conflict names the other field manager, and force takes the field over", async () => {
  const at = startCluster();
  const owned = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" }, data: { x: "1" } };
  await at.cluster.apply(owned, { manager: "argo" });
  const mine = configMap("a", 'data: {x: "2"}\n');
  assert.match(
    (await applyLines(at, mine)).join("\n"),
    /configmap\/a: \.data\.x belongs to .*argo.*: leave the field out, or take it over with --force-conflicts/,
  );
  assert.equal((await applyLines(at, mine, { force: true })).at(-1), "finished await configmap/a");
});

test("what is interrupted begins nothing new", async () => {
  const stop = new AbortController();
  const at = startCluster();
  const later = configMap("b").replace("{name: b}", '{name: b, annotations: {werf.io/weight: "1"}}');
  const { manifests } = readManifests(deployment("a", "nginx") + later, "app.yaml");
  const { items } = await prepare(manifests, at.cluster, { signal });
  const lines: string[] = [];
  const run = async () => {
    for await (const event of apply(items, at.cluster, { signal: stop.signal })) {
      if (!("verb" in event)) continue;
      const { type, verb, ref } = event;
      lines.push(`${type} ${verb} ${titleOf(ref)}`);
      if (type === "finished" && verb === "apply") stop.abort();
    }
  };
  await at.clock.until(run());
  assert.deepEqual(lines.slice(0, 2), ["started apply deployment/a", "finished apply deployment/a"]);
  assert.ok(!lines.includes("started apply configmap/b"), lines.join("\n"));
});

test("without waiting it ends when all is applied", async () => {
  const lines = await applyLines(startCluster(), deployment("web", "registry.invalid/web:1"), { wait: "none" });
  assert.deepEqual(lines, ["started apply deployment/web", "finished apply deployment/web: created"]);
});

const inShop = (name: string) => configMap(name).replace("}", ", namespace: shop}");

test("objects for a namespace that is being deleted are refused at once, with what to do", async () => {
  const at = startCluster();
  const metadata = { name: "shop", finalizers: ["example.com/keep"] };
  await at.clock.until(at.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata }));
  await at.clock.until(at.cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "shop" }));
  const { manifests } = readManifests(inShop("a") + inShop("b"), "app.yaml");
  await assert.rejects(at.clock.until(prepare(manifests, at.cluster, { signal, refusesTerminating: true })), {
    message:
      "app.yaml:2: configmap/a: namespace shop is being deleted, and nothing can be created in it any more, and 1 more object is to be in it: wait until it is gone (kubectl wait --for=delete namespace/shop), and create it again",
  });
});

const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
  "a kind that is not served": [
    "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\n",
    /app\.yaml:1: gadget\/\w+: the cluster knows no kind example\.com\/v1 Gadget: .*CustomResourceDefinition/,
  ],
  "a namespace that is not there": [
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: nowhere}\n",
    /configmap\/a: there is no namespace nowhere: create it first/,
  ],
  "a name that would be another one each time": [
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}\n",
    /^! app\.yaml:1: configmap: it has a generateName only; expected metadata\.name, by which it is found again$/,
  ],
  "one object twice": [
    configMap("a") + configMap("a"),
    /app\.yaml:\d+: configmap\/a is there twice, first at app\.yaml:\d+: remove or rename one of them/,
  ],
};

for (const [what, [yaml, message]] of Object.entries(refused)) {
  test(`${what} is refused before anything is touched`, async () => {
    const lines = await applyLines(startCluster(), yaml);
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, message);
  });
}

const gadgets = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget}
  versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object}}}]
`;
const gadget = "---\napiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g}\n";

test("a status that is never written is not waited for beyond the grace period, and the note says so", async () => {
  const at = startCluster();
  const began = at.clock.now();
  const lines = await applyLines(at, gadgets + gadget);
  assert.match(lines.at(-1) ?? "", /^finished await gadget\/g: no status yet after 30 s; taken as ready/);
  assert.ok(at.clock.now() - began >= 30_000);
});

/** An exchange that can be disconnected and connected again. */
function cuttable(exchange: Exchange) {
  const open = new Set<AbortController>();
  let isCut = false;
  return {
    exchange: ((request) => {
      if (isCut) return Promise.reject(new ConnectionFault("nothing answers"));
      const line = new AbortController();
      open.add(line);
      return exchange({ ...request, signal: AbortSignal.any([request.signal, line.signal]) });
    }) satisfies Exchange,
    cut() {
      isCut = true;
      for (const line of open) line.abort();
    },
    mend: () => void (isCut = false),
  };
}

test("a cluster that does not respond any more is reported, and waited for", async () => {
  const clock = new VirtualClock();
  const line = cuttable(startEmbeddedCluster({ clock, behaviour: parseBehaviour([{ match: {}, pull: "120s" }]).behaviour }).exchange);
  const cluster = connect(line.exchange, { clock });
  clock.after(5_000, () => line.cut());
  clock.after(60_000, () => line.mend());
  const lines = await applyLines({ clock, cluster }, deployment("web", "nginx:1"));
  assert.ok(
    lines.some((each) => /^waiting await deployment\/web: .*nothing answers/.test(each)),
    lines.join("\n"),
  );
  assert.equal(lines.at(-1), "finished await deployment/web");
});

test("what is unchanged is told and not touched; what is not ready yet is waited for", async () => {
  const at = startCluster();
  const both = configMap("a") + deployment("web", "nginx");
  await applyLines(at, both);
  const hook = configMap("h").replace("{name: h}", '{name: h, annotations: {"helm.sh/hook": pre-delete}}');
  assert.deepEqual(await applyLines(at, both + hook), [
    "finished await configmap/a: unchanged",
    "finished await deployment/web: unchanged",
  ]);
  assert.deepEqual(await applyLines(at, both, { wait: "none" }), [
    "finished apply configmap/a: unchanged",
    "finished apply deployment/web: unchanged",
  ]);
  const slow = deployment("slow", "nginx");
  await applyLines(at, slow, { wait: "none" });
  const lines = await applyLines(at, configMap("a", 'data: {x: "1"}\n') + slow);
  assert.deepEqual(lines.filter((line) => line.startsWith("finished")).toSorted(), [
    "finished apply configmap/a: updated",
    "finished await configmap/a",
    "finished await deployment/slow",
  ]);
});
