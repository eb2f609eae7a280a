import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { connect } from "../../kube/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { prepare } from "../prepare/index.ts";
import { apply } from "./index.ts";

const { signal } = new AbortController();
const crd = (modes: string, group = "example.com") => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: valves.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: valves, kind: Valve}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {mode: {type: string, enum: [${modes}]}}}}}]
`;
const valve = (mode: string) => `---\napiVersion: example.com/v1\nkind: Valve\nmetadata: {name: v, namespace: default}\nmode: ${mode}\n`;

/** What an API server answers that has not seen the changed definition yet. */
const stale = {
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  message: 'Valve.example.com "v" is invalid: mode: Unsupported value: "shut": supported values: "open"',
  reason: "Invalid",
  code: 422,
};

/** A cluster whose API server keeps to the old definition for so many writes. */
function startStale(writes: number) {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  let left = 0;
  const reach: Exchange = async (request) => {
    const isWrite = request.method === "PATCH" && /\/valves\//.test(request.path) && !request.path.includes("dryRun");
    if (!isWrite || left-- <= 0) return exchange(request);
    const body = new TextEncoder().encode(JSON.stringify(stale));
    return {
      status: 422,
      headers: { "content-type": "application/json" },
      body: (async function* () {
        yield body;
      })(),
    };
  };
  const cluster = connect(reach, { clock });
  const run = async (yaml: string) => {
    const lines: string[] = [];
    const { items } = await prepare(readManifests(yaml, "a.yaml").manifests, cluster, { signal });
    for await (const event of apply(items, cluster, { signal, wait: "none" }))
      if (event.type === "waiting" || event.type === "failed" || event.type === "done")
        lines.push(`${event.type} ${"because" in event ? (event.because ?? "") : ""}`.trim());
    return lines;
  };
  const startedAt = clock.now();
  return {
    run: (yaml: string) => clock.until(run(yaml)),
    turnStale: () => void (left = writes),
    elapsed: () => clock.now() - startedAt,
  };
}

test("a definition that an API server has not seen yet is no failure", async () => {
  const lab = startStale(3);
  await lab.run(crd("open") + valve("open"));
  lab.turnStale();
  const lines = await lab.run(crd("open, shut") + valve("shut"));
  assert.deepEqual(
    lines.map((line) => line.split(" ")[0]),
    ["waiting", "waiting", "waiting", "done"],
  );
});

test("a refusal that the earlier change has not cured fails the object after some seconds", async () => {
  const lab = startStale(0);
  await lab.run(crd("open") + valve("open"));
  const before = lab.elapsed();
  const lines = await lab.run(crd("open, leaky") + valve("shut"));
  assert.match(lines.at(-1)!, /^done valve\/v: .*Unsupported value: "shut"/);
  assert.equal(lab.elapsed() - before, 12_700);
});
