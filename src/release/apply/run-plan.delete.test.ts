import assert from "node:assert/strict";
import { test } from "node:test";
import { runAndLog, workloadItem, type PlanCluster } from "../../../test/support/run-log.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { keyOf, type KubeObject } from "../../core/object/index.ts";
import { connect } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { parseBehaviour } from "../../embedded/behaviour/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import type { PlanInput } from "../plan/index.ts";

const kinds = { Pod: { group: "", version: "v1", kind: "Pod" }, ReplicaSet: { group: "apps", version: "v1", kind: "ReplicaSet" } };
const forbidden = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", message: "no", code: 403 });

/** An embedded cluster whose pods take five seconds to end, with its DELETE requests and, on request, no right to list pods. */
async function start(): Promise<PlanCluster & { readonly deletes: string[]; readonly rights: { pods: boolean } }> {
  const clock = new VirtualClock();
  const { behaviour } = parseBehaviour([{ match: { image: "*" }, terminate: { after: "5s" } }]);
  const { exchange } = startEmbeddedCluster({ clock, behaviour });
  const deletes: string[] = [];
  const rights = { pods: true };
  const recorded: Exchange = async (request) => {
    if (request.method === "DELETE")
      deletes.push(`${request.path.split("/").at(-1)} ${JSON.parse(String(request.body)).propagationPolicy}`);
    if (!rights.pods && /\/pods(?:\?|$)/.test(request.path)) return { status: 403, headers: {}, body: [Buffer.from(forbidden)] };
    return exchange(request);
  };
  const cluster = connect(recorded, { clock, namespace: "shop" });
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await clock.advance(1000);
  return { clock, cluster, deletes, rights };
}

async function left({ cluster }: PlanCluster): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(Object.values(kinds).map((kind) => cluster.list(kind, { namespace: "shop" })));
  return lists.flatMap(({ items }) => items);
}

/** Deletes what has been deployed, as the deletion of a release does. */
async function deleteAll(at: PlanCluster, previous: NonNullable<PlanInput["previous"]>, continued = false) {
  const live = new Map(
    await Promise.all(
      previous.map(async ({ ref }) => {
        const found = await at.cluster.find(ref);
        return [keyOf(ref), found === undefined ? { exists: false } : { exists: true, uid: found.metadata.uid ?? "" }] as const;
      }),
    ),
  );
  return runAndLog(at, { operation: "delete", desired: [], previous, live, background: { continued } });
}

test("workloads are deleted in the background, and waited for until their ReplicaSets and pods are gone", async () => {
  const at = await start();
  const items = [workloadItem("Deployment", "web"), workloadItem("StatefulSet", "db")];
  await runAndLog(at, { desired: items });
  const log = await deleteAll(at, items);
  assert.equal(log.lines.at(-1), "done deleted");
  assert.deepEqual(at.deletes, ["db Background", "web Background"]);
  assert.ok(
    log.lines.some((line) => /^waiting await deployment\/web: it is gone, but not .*pod\/web-/.test(line)),
    log.lines.join("\n"),
  );
  assert.ok(log.at.get("done deleted")! >= 5, "the pods take five seconds");
  assert.deepEqual(await left(at), []);
});

test("what a run before has deleted is waited for by the one that continues it", async () => {
  const at = await start();
  const items = [workloadItem("Deployment", "web", { rank: 1 }), workloadItem("ConfigMap", "settings")];
  await runAndLog(at, { desired: items });
  await at.cluster.delete(items[0]!.ref, { propagation: "background" });
  at.deletes.length = 0;
  const log = await deleteAll(at, items, true);
  assert.deepEqual(at.deletes, ["settings Background"]);
  const gone = log.lines.findIndex((line) => line.startsWith("finished await deployment/web"));
  assert.ok(gone !== -1 && gone < log.lines.indexOf("started delete configmap/settings"), log.lines.join("\n"));
  assert.deepEqual(await left(at), []);
});

test("the pods of another workload that takes the name meanwhile do not count", async () => {
  const at = await start();
  const items = [workloadItem("Deployment", "web")];
  await runAndLog(at, { desired: items });
  const again = items[0]!.item.object;
  at.clock.after(1000, () => void at.cluster.create({ ...again, metadata: { ...again.metadata, namespace: "shop" } }));
  const log = await deleteAll(at, items);
  assert.equal(log.lines.at(-1), "done deleted");
  assert.deepEqual((await left(at)).map(({ kind }) => kind).toSorted(), ["Pod", "ReplicaSet"]);
});

test("who may not list pods deletes workloads all the same", async () => {
  const at = await start();
  const items = [workloadItem("StatefulSet", "db")];
  await runAndLog(at, { desired: items });
  at.rights.pods = false;
  const log = await deleteAll(at, items);
  assert.deepEqual(log.lines.slice(-2), ["finished await statefulset/db: it is gone; its pods may not be listed", "done deleted"]);
});
