/** How large an object may be, on any cluster that serves our CRDs. */
import assert from "node:assert/strict";
import { isApiFault, type Cluster } from "../../src/kube/index.ts";
import { refOf, type KubeObject } from "../../src/core/object/index.ts";

/** EventReports whose content takes so many bytes, and how they are refused. */
const cases: readonly { readonly what: string; readonly bytes: number; readonly refusal?: readonly [number, RegExp] }[] = [
  { what: "what etcd takes", bytes: 1_571_000 },
  { what: "more than etcd takes", bytes: 1_580_000, refusal: [500, /etcdserver: request is too large$/] },
  { what: "more than is sent to etcd", bytes: 2_100_000, refusal: [500, /trying to send message larger than max \(\d+ vs\. 2097152\)$/] },
  { what: "more than a request may have", bytes: 3_200_000, refusal: [413, /Request entity too large: limit is 3145728$/] },
];

function reportOf(bytes: number): KubeObject {
  return {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "EventReport",
    metadata: { name: `of-${bytes}`, namespace: "default" },
    spec: { clusterNamespace: "", clusterName: "", clusterType: "", eventSourceName: "x", resources: "x".repeat(bytes) },
  };
}

/** As a real API server with etcd answers. */
export async function assertSizesRefused(cluster: Cluster): Promise<void> {
  for (const { what, bytes, refusal } of cases) {
    const object = reportOf(bytes);
    for (const write of [() => cluster.create(object), () => cluster.apply(object, { manager: "sizes" })])
      if (refusal === undefined) await write().then((made) => cluster.delete(refOf(made)));
      else await assert.rejects(write(), (error) => isRefusal(error, refusal), what);
  }
  // One that fits, and does not fit with its annotations any more.
  const made = await cluster.create(reportOf(1_450_000));
  const patch = { metadata: { annotations: { note: "x".repeat(200_000) } } };
  await assert.rejects(cluster.patch(refOf(made), { type: "merge", patch }), (error) => isRefusal(error, cases[1]!.refusal!));
  await cluster.patch(refOf(made), { type: "merge", patch: { metadata: { annotations: { note: "x" } } } });
  await cluster.delete(refOf(made));
}

function isRefusal(error: unknown, [code, message]: readonly [number, RegExp]): boolean {
  assert.ok(isApiFault(error), String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
}
