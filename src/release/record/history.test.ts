import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange, Request } from "../../core/exchange/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import {
  beginRevision,
  historyOf,
  storageName,
  storageObjectOf,
  withState,
  type History,
  type Revision,
  type RevisionState,
} from "./index.ts";

type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster; readonly history: History };
type Meddle = (request: Request, answer: Exchange) => ReturnType<Exchange>;

function lab(meddle?: Meddle): Lab {
  const clock = new VirtualClock({ jump: true });
  const { exchange } = startEmbeddedCluster({ clock });
  const cluster = connect(meddle === undefined ? exchange : (request) => meddle(request, exchange), { clock });
  return { clock, cluster, history: historyOf(cluster) };
}

const web = { name: "web", namespace: "default" };
const at = "2030-01-01T00:00:00.000Z";
const fresh = (previous?: Revision, release = web) =>
  beginRevision(release, previous === undefined ? "install" : "upgrade", { manifest: "", hooks: [] }, { previous, at });

/** Saves revisions with these states: `superseded deployed failed`. */
async function filled({ history }: Lab, states: string, release = web): Promise<void> {
  let previous: Revision | undefined;
  for (const state of states.split(" ")) previous = await history.save({ ...fresh(previous, release), state: state as RevisionState });
}

const standOf = async ({ history }: Lab) => (await history.revisions(web)).map(({ revision, state }) => `${revision} ${state}`).join(", ");

test("a revision is saved, read and saved again", async () => {
  const { history, cluster } = lab();
  const pending = await history.save(fresh());
  assert.deepEqual(await history.latest(web), pending);
  assert.equal(await history.deployed(web), undefined);
  const deployed = await history.save(withState(pending, "deployed", "Install complete"));
  assert.deepEqual(await history.deployed(web), deployed);
  const secret = await cluster.get({ group: "", version: "v1", kind: "Secret", namespace: "default", name: storageName("web", 1) });
  assert.equal(secret.metadata.labels?.["status"], "deployed");
  assert.equal(secret.metadata.labels?.["createdAt"], "1893456000");
  assert.equal(secret.metadata.labels?.["modifiedAt"], "1893456000");
  assert.deepEqual(
    secret.metadata.managedFields?.map(({ manager }) => manager),
    ["helm"],
  );
});

test("annotations of a record are changed in the version that was read, and stay when it is saved", async () => {
  const { history } = lab();
  const pending = await history.save({ ...fresh(), annotations: { "example.com/owner": "a", "example.com/of": "x" } });
  assert.deepEqual(await history.latest(web), pending);
  const marked = await history.annotate(pending, { "example.com/owner": "b", "example.com/of": null });
  assert.deepEqual(marked.annotations, { "example.com/owner": "b" });
  await assert.rejects(history.annotate(pending, { "example.com/owner": "c" }), /modified/);
  await history.save(withState(marked, "deployed", "Install complete"));
  assert.deepEqual((await history.deployed(web))?.annotations, { "example.com/owner": "b" });
});

test("revisions are in the order of their numbers, not of their names", async () => {
  const at10 = lab();
  await filled(at10, Array.from({ length: 11 }, () => "failed").join(" "));
  assert.deepEqual(
    (await at10.history.revisions(web)).map(({ revision }) => revision),
    Array.from({ length: 11 }, (_, index) => index + 1),
  );
});

test("saving over a newer version is a conflict", async () => {
  const { history } = lab();
  const mine = await history.save(fresh());
  await history.save(withState(mine, "failed", "given up by somebody else"));
  await assert.rejects(history.save(withState(mine, "deployed", "Install complete")), {
    message: /^save revision 1 of release web in default: somebody else has written it in the meantime: run the same command again: /,
  });
  assert.equal((await history.latest(web))?.state, "failed");
});

test("of two first revisions one is saved", async () => {
  const { history } = lab();
  const rival = { ...fresh(), description: "the other" };
  const outcomes = await Promise.allSettled([history.save(fresh()), history.save(rival)]);
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
});

test("an answer that is lost is no conflict with oneself", async () => {
  for (const method of ["POST", "PUT"]) {
    let cut = true;
    const at = lab(async (request, answer) => {
      const real = await answer(request);
      if (request.method !== method || !cut) return real;
      cut = false;
      return { status: 500, headers: {}, body: emptyBody() };
    });
    const pending = await at.history.save(fresh());
    await at.history.save(withState(pending, "deployed", "Install complete"));
    assert.equal(cut, false);
    assert.equal(await standOf(at), "1 deployed");
  }
});

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

test("a lasting error is thrown", async () => {
  const { history } = lab(async (request, answer) =>
    request.method === "POST" ? { status: 500, headers: {}, body: emptyBody() } : answer(request),
  );
  await assert.rejects(history.save(fresh()), { message: /^save revision 1 of release web in default: .*500/ });
});

test("a missing namespace is reported", async () => {
  const { history } = lab();
  const nowhere = { name: "web", namespace: "nowhere" };
  assert.deepEqual(await history.revisions(nowhere), []);
  await assert.rejects(history.save(fresh(undefined, nowhere)), { message: /namespaces "nowhere" not found/ });
});

test("all other deployed revisions are superseded", async () => {
  const at = lab();
  await filled(at, "superseded deployed failed deployed deployed");
  await at.history.supersede({ ...web, revision: 5 });
  assert.equal(await standOf(at), "1 superseded, 2 superseded, 3 failed, 4 superseded, 5 deployed");
});

const prunes: readonly (readonly [string, number, string])[] = [
  ["superseded superseded deployed", 10, "1 superseded, 2 superseded, 3 deployed"],
  ["superseded superseded deployed", 2, "2 superseded, 3 deployed"],
  ["superseded superseded deployed", 1, "3 deployed"],
  ["deployed failed failed failed", 2, "1 deployed, 4 failed"],
  ["deployed failed failed pending-upgrade", 1, "1 deployed, 4 pending-upgrade"],
  ["failed failed failed", 0, "1 failed, 2 failed, 3 failed"],
];

for (const [states, limit, left] of prunes) {
  test(`pruned to ${limit}: ${states}`, async () => {
    const at = lab();
    await filled(at, states);
    const before = (await at.history.revisions(web)).length;
    const gone = await at.history.prune(web, limit);
    assert.equal(await standOf(at), left);
    assert.equal(gone.length, before - left.split(", ").length);
  });
}

test("ten are kept by default", async () => {
  const at = lab();
  await filled(at, Array.from({ length: 12 }, (_, index) => (index === 0 ? "deployed" : "failed")).join(" "));
  assert.deepEqual(await at.history.prune(web), [2, 3]);
});

test("the list has the latest of each release, of one namespace or of all", async () => {
  const at = lab();
  await at.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await filled(at, "superseded deployed");
  await filled(at, "failed", { name: "api", namespace: "shop" });
  await filled(at, "deployed", { name: "web", namespace: "shop" });
  const listed = async (namespace?: string) =>
    (await at.history.list(namespace)).map((each) => `${each.namespace}/${each.name} ${each.revision} ${each.state}`);
  assert.deepEqual(await listed(), ["default/web 2 deployed", "shop/api 1 failed", "shop/web 1 deployed"]);
  assert.deepEqual(await listed("shop"), ["shop/api 1 failed", "shop/web 1 deployed"]);
});

test("what is in ConfigMaps is read there, and goes on there", async () => {
  const at = lab();
  await at.cluster.create(storageObjectOf({ ...fresh(), state: "deployed", storage: "ConfigMap" }, 0));
  const first = await at.history.latest(web);
  assert.equal(first?.storage, "ConfigMap");
  await at.history.save(fresh(first));
  await at.history.supersede({ ...web, revision: 2 });
  assert.equal(await standOf(at), "1 superseded, 2 pending-upgrade");
  assert.equal((await at.cluster.list({ group: "", version: "v1", kind: "Secret" })).items.length, 0);
});

test("without the right to read ConfigMaps the Secrets are read", async () => {
  const refusal = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", code: 403, message: "no" };
  const at = lab(async (request, answer) => {
    if (!request.path.includes("/configmaps")) return answer(request);
    return { status: 403, headers: { "content-type": "application/json" }, body: only(JSON.stringify(refusal)) };
  });
  await filled(at, "deployed");
  assert.equal(await standOf(at), "1 deployed");
});

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

test("an unreadable record blocks nothing, and keeps its number", async () => {
  const at = lab();
  const object: KubeObject = storageObjectOf(fresh(), 0);
  await at.cluster.create({ ...object, data: { release: "aGVsbG8=" } });
  const latest = await at.history.latest(web);
  assert.equal(latest?.state, "unknown");
  await at.history.save(fresh(latest));
  assert.equal(await standOf(at), "1 unknown, 2 pending-upgrade");
});

test("a purged release has no records, and others keep theirs", async () => {
  const at = lab();
  await filled(at, "superseded deployed");
  await filled(at, "deployed", { name: "web2", namespace: "default" });
  await at.history.purge(web);
  assert.deepEqual(
    (await at.history.list()).map(({ name }) => name),
    ["web2"],
  );
});

test("records that unpack to all memory are unknown, and the newest is read all the same", async () => {
  const { cluster, history } = lab();
  await filled({ cluster, history } as Lab, "superseded superseded superseded superseded deployed");
  const bomb = gzipSync(Buffer.alloc(70 * 2 ** 20, " ")).toString("base64");
  const release = Buffer.from(bomb).toString("base64");
  for (const revision of [2, 3, 4]) {
    const ref = { group: "", version: "v1", kind: "Secret", namespace: web.namespace, name: storageName(web.name, revision) };
    await cluster.patch(ref, { type: "merge", patch: { data: { release } } }, { manager: "test" });
  }
  const revisions = await history.revisions(web);
  assert.equal(revisions.map(({ revision, state }) => `${revision} ${state}`).join(), "1 unknown,2 unknown,3 unknown,4 unknown,5 deployed");
  const name = storageName(web.name, 4);
  assert.equal(revisions[3]!.description, `the record ${name} cannot be read: it unpacks to more than the 64 MiB allowed`);
});
