import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  newInformer,
  isApiFault,
  isConflict,
  isForbidden,
  isGone,
  isNotFound,
  isUnauthorized,
  isUnknownKind,
  openCluster,
  thisMachine,
  waitForKind,
  type Cluster,
  type Machine,
  type OpenOptions,
} from "../../src/kube/index.ts";
import { numberAt, stringAt, type KubeObject } from "../../src/core/object/index.ts";
import { issueCertificate, createCertificateAuthority } from "../../src/lang/x509/index.ts";
import { widgetCrd } from "../support/widget-crd.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { startCluster } from "./start-cluster.ts";

const program = process.env[environmentVariables.kubectl] ?? "";
const folder = makeTemporaryFolder();
const running = await startCluster(program, { name: "client" });
const opened = await openCluster({ kubeconfig: running.kubeconfig });
const { cluster } = opened;
const namespace = "client";
await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });

after(async () => {
  opened.close();
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

const limits = { timeout: 60_000 };
const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const deployments = { group: "apps", version: "v1", kind: "Deployment" };
const configMap = (name: string, data: object = {}, more: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, ...more },
  data,
});
const at = (name: string) => ({ ...configMaps, namespace, name });

test("reading and writing", limits, async () => {
  assert.equal(await cluster.find(at("a")), undefined);
  const made = await cluster.create(configMap("a", { x: "1" }));
  assert.deepEqual(await cluster.get(at("a")), made);
  await cluster.replace({ ...made, data: { x: "2" } });
  await assert.rejects(cluster.replace({ ...made, data: { x: "3" } }), isConflict);
  await cluster.patch(at("a"), { type: "json", patch: [{ op: "add", path: "/data/j", value: "1" }] });
  await cluster.patch(at("a"), { type: "merge", patch: { data: { m: "1" } } });
  await cluster.patch(at("a"), { type: "strategic", patch: { data: { s: "1" } } });
  const applied = await cluster.apply(configMap("a", { p: "1" }));
  assert.deepEqual(applied["data"], { x: "2", j: "1", m: "1", s: "1", p: "1" });
  await assert.rejects(cluster.apply(configMap("a", { p: "2" }), { manager: "other" }), (error) => {
    assert.ok(isApiFault(error) && isConflict(error));
    assert.deepEqual(error.conflicts, [{ field: ".data.p", manager: "sluice" }]);
    return true;
  });
  assert.equal(stringAt(await cluster.apply(configMap("a", { p: "2" }), { manager: "other", force: true, dryRun: true }), "data.p"), "2");
  assert.equal(stringAt(await cluster.get(at("a")), "data.p"), "1");
  await assert.rejects(cluster.delete(at("a"), { preconditions: { uid: "another" } }), isConflict);
  assert.equal(await cluster.delete(at("a"), { preconditions: { uid: made.metadata.uid ?? "" } }), undefined);
  assert.equal(await cluster.find(at("a")), undefined);
});

test("subresources, propagation and collections", limits, async () => {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "a" }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  await cluster.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace }, spec });
  const ref = { ...deployments, namespace, name: "web" };
  await cluster.patch(ref, { type: "merge", patch: { spec: { replicas: 1 } } }, { subresource: "scale" });
  assert.equal(numberAt(await cluster.get(ref, { subresource: "scale" }), "spec.replicas"), 1);
  assert.equal(numberAt(await cluster.get(ref), "spec.replicas"), 1);
  const deleting = await cluster.delete(ref, { propagation: "foreground" });
  assert.deepEqual(deleting?.metadata.finalizers, ["foregroundDeletion"]);
  for (const name of ["c1", "c2", "c3"]) await cluster.create(configMap(name, {}, { labels: { keep: name === "c2" ? "yes" : "no" } }));
  const gone = await cluster.deleteCollection(configMaps, { namespace, labelSelector: "keep=no" });
  assert.deepEqual(
    gone.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ["ConfigMap c1", "ConfigMap c3"],
  );
  await cluster.delete(at("c2"));
});

const widgets = { group: "example.com", version: "v1", kind: "Widget" };
const widget = (name: string): KubeObject => ({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name, namespace } });

test("a kind that comes", limits, async () => {
  await assert.rejects(cluster.list(widgets), isUnknownKind);
  const served = waitForKind(cluster, widgets);
  await cluster.create(widgetCrd);
  assert.equal((await served).plural, "widgets");
  await cluster.create(widget("w"));
  assert.equal((await cluster.list(widgets)).items.length, 1);
});

/** The user name that the server has authenticated. */
async function whoami(as: Cluster): Promise<string> {
  const review = await as.create({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: { name: "" } });
  return stringAt(review, "status.userInfo.username", "");
}

async function using<T>(options: OpenOptions, work: (as: Cluster) => Promise<T>): Promise<T> {
  const other = await openCluster({ attempts: 1, ...options });
  try {
    return await work(other.cluster);
  } finally {
    other.close();
  }
}

const encoded = (text: string) => Buffer.from(text).toString("base64");

function kubeconfig(name: string, user: object, more: object = {}): string {
  const where = { server: running.server, "certificate-authority-data": encoded(running.credentials.authority.certificate), ...more };
  const file = join(folder, name);
  const context = { cluster: "c", user: "u", namespace };
  writeFileSync(
    file,
    JSON.stringify({
      kind: "Config",
      "current-context": "it",
      clusters: [{ name: "c", cluster: where }],
      users: [{ name: "u", user }],
      contexts: [{ name: "it", context }],
    }),
  );
  return file;
}

async function tokenOf(account: string): Promise<string> {
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { name: "" }, spec: {} };
  const under = { group: "", version: "v1", kind: "ServiceAccount", namespace, name: account };
  return stringAt(await cluster.create(request, { under, subresource: "token" }), "status.token", "");
}

const robot = `system:serviceaccount:${namespace}:robot`;

test("who we are: certificates, tokens, token files, exec plugins, in a pod, and impersonated", limits, async () => {
  assert.equal(await whoami(cluster), "admin");
  await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace } });
  const token = await tokenOf("robot");
  assert.equal(await using({ kubeconfig: kubeconfig("token", { token }) }, whoami), robot);

  writeFileSync(join(folder, "robot.token"), `${token}\n`);
  assert.equal(await using({ kubeconfig: kubeconfig("file", { tokenFile: "robot.token" }) }, whoami), robot);

  const { credentials } = running;
  const validity = { notBefore: new Date(Date.now() - 86_400_000), notAfter: new Date(Date.now() + 86_400_000) };
  const jane = issueCertificate(credentials.authority, { commonName: "jane", usages: ["client"] }, validity);
  const issue = (status: object) => {
    const answer = JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status });
    writeFileSync(join(folder, "answer.json"), answer);
    const args = ["-e", `process.stdout.write(require("fs").readFileSync(${JSON.stringify(join(folder, "answer.json"))}))`];
    return { exec: { apiVersion: "client.authentication.k8s.io/v1", command: process.execPath, args, interactiveMode: "Never" } };
  };
  assert.equal(await using({ kubeconfig: kubeconfig("exec", issue({ token })) }, whoami), robot);
  const shown = issue({ clientCertificateData: jane.certificate, clientKeyData: jane.key });
  assert.equal(await using({ kubeconfig: kubeconfig("exec-cert", shown) }, whoami), "jane");

  assert.equal(await using({ machine: podMachine(token) }, whoami), robot);
  assert.equal(await using({ kubeconfig: running.kubeconfig, as: { user: "joe", groups: ["a", "b"] } }, whoami), "joe");
});

/** A machine that is set up like a pod of this cluster. */
function podMachine(token: string): Machine {
  const { hostname, port } = new URL(running.server);
  const files: Record<string, string> = { token, "ca.crt": running.credentials.authority.certificate, namespace };
  return {
    ...thisMachine(),
    home: folder,
    env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
    async read(path) {
      const text = files[path.split("/").at(-1) ?? ""];
      if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
      return text;
    },
  };
}

const list = (as: Cluster) => as.list(configMaps, { namespace });

const denied = (who: string) => (error: unknown) => {
  assert.ok(isForbidden(error) && error instanceof Error);
  assert.match(error.message, new RegExp(`^list configmaps in client: .*User "${who}" cannot list resource "configmaps"`));
  return true;
};

test("what we may not do is refused by name", limits, async () => {
  const token = await tokenOf("robot");
  await assert.rejects(using({ kubeconfig: kubeconfig("token", { token }) }, list), denied(robot));
  await assert.rejects(using({ kubeconfig: running.kubeconfig, as: { user: "joe" } }, list), denied("joe"));
  assert.ok((await using({ kubeconfig: running.kubeconfig, as: { user: "joe", groups: ["system:masters"] } }, list)).items.length > 0);
  await assert.rejects(
    using({ kubeconfig: kubeconfig("token", { token }), as: { user: "admin" } }, list),
    (error) => isForbidden(error) && /cannot impersonate resource "users"/.test(String(error)),
  );
});

test("what is wrong with the way or the credentials is said", limits, async () => {
  const { credentials, server } = running;
  const past = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2021-02-03T04:05:00Z") };
  const old = issueCertificate(credentials.authority, { commonName: "admin", organizations: ["system:masters"], usages: ["client"] }, past);
  const user = { "client-certificate-data": encoded(old.certificate), "client-key-data": encoded(old.key) };
  await assert.rejects(using({ kubeconfig: kubeconfig("old", user) }, whoami), {
    message: /the server does not know us: the client-certificate of user "u" in \S+old expired on 2021-02-03 04:05 UTC: get a new one/,
  });
  await assert.rejects(using({ kubeconfig: kubeconfig("bad", { token: "nonsense" }) }, whoami), isUnauthorized);
  const stranger = createCertificateAuthority("stranger", { notBefore: past.notBefore, notAfter: new Date("2099-01-01T00:00:00Z") });
  const wrong = kubeconfig("wrong", { token: "x" }, { "certificate-authority-data": encoded(stranger.certificate) });
  await assert.rejects(using({ kubeconfig: wrong }, whoami), /is signed by "client-ca", which is not trusted .*set certificate-authority/);
  const unreachable = kubeconfig("unreachable", { token: "x" }, { server: "https://127.0.0.1:1" });
  await assert.rejects(using({ kubeconfig: unreachable }, whoami), /nothing answers at https:\/\/127\.0\.0\.1:1 \(connection refused\)/);
  const name = kubeconfig("name", { token: "x" }, { "tls-server-name": "example.com" });
  await assert.rejects(using({ kubeconfig: name }, whoami), new RegExp(`the certificate of ${server} is not for "example.com"`));
});

const hasKubelet = process.env[environmentVariables.hasKubelet] === "yes";

test(
  "the log of a pod, where the test kubelet runs",
  { ...limits, skip: hasKubelet ? false : "the test kubelet does not run here" },
  async () => {
    await using({ kubeconfig: process.env[environmentVariables.kubeconfig] ?? "" }, async (shared) => {
      const name = `client-${process.pid}`;
      const place = "default";
      const ref = { group: "", version: "v1", kind: "Pod", namespace: place, name };
      const spec = { containers: [{ name: "c", image: "example.com/talks:1" }] };
      await shared.create({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: place }, spec });
      try {
        for await (const { object } of shared.watch(ref, { namespace: place, fieldSelector: `metadata.name=${name}` }))
          if (stringAt(object, "status.phase") === "Running") break;
        const lines: string[] = [];
        for await (const line of shared.logs(place, name, { tailLines: 2 })) lines.push(line);
        assert.deepEqual(lines, ["two", "three"]);
        await assert.rejects(async () => {
          for await (const _ of shared.logs(place, name, { container: "x" })) assert.fail("there is no such container");
        }, /^ApiFault: read the log of pod default\/client-\d+, container x: container x is not valid/);
      } finally {
        await shared.delete(ref, { gracePeriodSeconds: 0 });
      }
    });
  },
);

const titleOf = ({ metadata: { name, uid, resourceVersion } }: KubeObject) => `${name} ${uid} ${resourceVersion}`;

/** An informer that has synced, its changes since then, and a way to wait for the last of them. */
async function following(kind: typeof configMaps, signal: AbortSignal) {
  const informer = newInformer(cluster, kind, { namespace, signal });
  const changes: string[] = [];
  const waiting = new Map<string, () => void>();
  let complete = false;
  void (async () => {
    for await (const change of informer) {
      if (complete && "object" in change) changes.push(`${change.type} ${titleOf(change.object)}`);
      complete ||= change.type === "synced";
      if ("object" in change) waiting.get(`${change.type} ${change.object.metadata.name}`)?.();
    }
  })();
  const store = await informer.waitForSync();
  const until = (line: string) => new Promise<void>((resolve) => void waiting.set(line, resolve));
  return { changes, store, until };
}

test("an informer outlives a restart of the API server: nothing is lost, and nothing invented", { timeout: 120_000 }, async () => {
  const stop = new AbortController();
  await cluster.create(configMap("before", { n: "0" }));
  const maps = await following(configMaps, stop.signal);
  const customs = await following(widgets, stop.signal);
  const since = (await cluster.list(configMaps, { namespace })).resourceVersion;
  const expected: string[] = [];
  const did = (type: string, object: KubeObject) => expected.push(`${type} ${titleOf(object)}`);
  did("modified", await cluster.patch(at("before"), { type: "merge", patch: { data: { n: "1" } } }));
  await running.restartApiServer();
  await using({ kubeconfig: running.kubeconfig }, async (other) => {
    for (const n of ["2", "3"]) did("modified", await other.patch(at("before"), { type: "merge", patch: { data: { n } } }));
    did("added", await other.create(configMap("between")));
    await other.delete(at("between"));
    await other.create(widget("after"));
    const [mapsDone, customsDone] = [maps.until("added after"), customs.until("added after")];
    did("added", await other.create(configMap("after")));
    await Promise.all([
      mapsDone,
      other.find({ ...widgets, namespace, name: "after" }),
      customs.store.find(namespace, "after") ?? customsDone,
    ]);
  });
  const withoutDeleted = maps.changes.filter((line) => !line.startsWith("deleted"));
  assert.deepEqual(withoutDeleted, expected, "every write, in order, once");
  assert.deepEqual(
    maps.changes.filter((line) => line.startsWith("deleted")).map((line) => line.split(" ")[1]),
    ["between"],
  );
  assert.deepEqual(
    customs.changes.map((line) => line.split(" ").slice(0, 2).join(" ")),
    ["added after"],
    "custom resources are not taken for gone while the server starts",
  );
  const live = await cluster.list(configMaps, { namespace });
  assert.deepEqual([...maps.store.all()].map(titleOf).toSorted(), live.items.map(titleOf).toSorted());
  assert.ok(Number(live.resourceVersion) > Number(since));
  stop.abort();
});

async function askEtcd(path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${running.etcd}/v3/kv/${path}`, { method: "POST", body: JSON.stringify(body) });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

/** Compacts etcd up to its current revision. */
async function compact(): Promise<void> {
  const revision = stringAt(await askEtcd("range", { key: encoded("/registry/none") }), "header.revision", "");
  await askEtcd("compaction", { revision, physical: true });
}

test("after a compaction a watch says so, pages go on, and an informer lists again", { timeout: 120_000 }, async () => {
  const stop = new AbortController();
  const { changes, store, until } = await following(configMaps, stop.signal);
  for (const name of ["p1", "p2", "p3"]) await cluster.create(configMap(name, {}, { labels: { paged: "" } }));
  const since = (await cluster.get(at("p1"))).metadata.resourceVersion ?? "";
  const pages: string[] = [];
  for await (const { items } of cluster.pages(configMaps, { namespace, labelSelector: "paged", limit: 2 })) {
    pages.push(items.map(({ metadata }) => metadata.name).join(" "));
    if (pages.length > 1) break;
    await cluster.patch(at("p3"), { type: "merge", patch: { data: { late: "yes" } } });
    await running.restartApiServer(compact);
  }
  assert.deepEqual(pages, ["p1 p2", "p3"]);
  const watching = async () => {
    for await (const _ of cluster.watch(configMaps, { namespace, resourceVersion: since })) assert.fail("the version is expired");
  };
  await assert.rejects(watching(), (error) => isGone(error) && /too old resource version/.test(String(error)));
  const done = until("added last");
  await cluster.create(configMap("last"));
  if (store.find(namespace, "last") === undefined) await done;
  const live = await cluster.list(configMaps, { namespace });
  assert.deepEqual([...store.all()].map(titleOf).toSorted(), live.items.map(titleOf).toSorted());
  const names = changes.map((line) => line.split(" ").slice(0, 2).join(" "));
  assert.deepEqual(names, ["added p1", "added p2", "added p3", "modified p3", "added last"]);
  stop.abort();
});

test("a kind that goes takes its objects along", limits, async () => {
  const stop = new AbortController();
  const { until } = await following(widgets, stop.signal);
  const gone = until("deleted w");
  await cluster.delete({ ...crdKind, namespace: "", name: "widgets.example.com" });
  await gone;
  await assert.rejects(cluster.get({ ...widgets, namespace, name: "w" }), (error) => isUnknownKind(error) || isNotFound(error));
  stop.abort();
});

const crdKind = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
