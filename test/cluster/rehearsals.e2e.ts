import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { connect, openCluster } from "../../src/kube/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import { deploy } from "../../src/release/deploy/index.ts";
import { learnBehaviour, readForRehearsal, rehearse } from "../../src/release/rehearse/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const opened = await openCluster({ kubeconfig: process.env[environmentVariables.kubeconfig] ?? "" });
/** Set where the test kubelet runs. */
const hasKubelet = process.env[environmentVariables.hasKubelet] === "yes";

after(() => opened.close());

const { signal } = new AbortController();
const workload = (kind: string, name: string, weight: number, replicas: number, tag: string) => `---
apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}, annotations: {werf.io/weight: "${weight}"}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: main, image: "example.com/boots-12s:${tag}"}]}
`;
const job = (name: string, weight: number, tag: string) => `---
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}-${tag}, annotations: {werf.io/weight: "${weight}"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/runs-20s:${tag}"}]}}}
`;

/** Each takes a minute and more, and nothing but what it did before tells how long it takes. */
const apps: Readonly<Record<string, (tag: string) => string>> = {
  "Deployments one after another": (tag) => [0, 1, 2, 3, 4].map((rank) => workload("Deployment", `web-${rank}`, rank, 2, tag)).join(""),
  "a StatefulSet whose pods come one by one, and a Deployment": (tag) =>
    workload("StatefulSet", "db", 0, 4, tag) + workload("Deployment", "web", 1, 1, tag),
  "a Job before and a Job after": (tag) =>
    job("before", 0, "x") +
    workload("Deployment", "web", 1, 1, tag) +
    workload("Deployment", "api", 2, 1, tag) +
    workload("Deployment", "ui", 3, 1, tag) +
    workload("Deployment", "edge", 4, 1, tag) +
    workload("Deployment", "last", 5, 1, tag),
};

async function deployed(yaml: string, namespace: string): Promise<number> {
  const { cluster, request } = requestFor(yaml, namespace);
  const { clock } = cluster;
  const startedAt = clock.now();
  const warnings: string[] = [];
  const recording = { onWarning: (warning: string) => void warnings.push(warning) };
  for await (const event of deploy(request, cluster, { signal, identity: "test", timeoutMs: 600_000, recording }))
    if (event.type === "done") assert.equal(event.status, "deployed", event.because);
  assert.deepEqual(warnings, []);
  return clock.now() - startedAt;
}

function requestFor(yaml: string, namespace: string) {
  const { manifests, problems } = readManifests(yaml, "app.yaml");
  assert.deepEqual(problems, []);
  const cluster = connect(opened.exchange, { clock: opened.cluster.clock, namespace });
  return { cluster, request: { release: { name: "app", namespace }, manifests, createNamespace: true } };
}

describe(
  "how long a deploy takes is known from how long the last one took",
  {
    concurrency: 3,
    skip: hasKubelet ? false : "the test kubelet does not run here",
  },
  () => {
    for (const [at, [what, yaml]] of Object.entries(apps).entries()) {
      test(what, async (t) => {
        const namespace = `rehearsal${process.pid}x${at}`;
        await deployed(yaml("1"), namespace);
        const { cluster, request } = requestFor(yaml("2"), namespace);
        const { snapshot } = await readForRehearsal(request, cluster, { signal });
        assert.match(snapshot.evidence[0]!.from, /^the recording of revision 1$/);
        const { behaviour } = learnBehaviour(snapshot.evidence);
        const { startedAtMs, endedAtMs } = await rehearse(request, snapshot, {
          namespace,
          behaviour,
          deploy: { signal, timeoutMs: 600_000 },
        });
        const tookMs = await deployed(yaml("2"), namespace);
        const expectedMs = endedAtMs - startedAtMs;
        t.diagnostic(`expected ${expectedMs} ms, took ${tookMs} ms`);
        assert.ok(tookMs >= 60_000, `it took ${tookMs} ms`);
        const share = expectedMs / tookMs;
        assert.ok(share > 0.9 && share < 1.1, `expected ${expectedMs} ms, and it took ${tookMs} ms: ${share.toFixed(2)} of it`);
      });
    }
  },
);
