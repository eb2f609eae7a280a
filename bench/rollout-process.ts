/** Measures one rollout: `node bench/rollout-process.ts 200` prints its cost as JSON. */
import { VirtualClock } from "../src/core/clock/index.ts";
import { connect } from "../src/kube/index.ts";
import { numberAt, type KubeObject } from "../src/core/object/index.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";
import type { RolloutCost } from "./rollout.ts";

const deployments = Number(process.argv[2] ?? 200);
const replicas = 10;

const start = process.cpuUsage();
const clock = new VirtualClock();
const began = clock.now();
const { exchange } = startEmbeddedCluster({ clock });
const cluster = connect(exchange, { clock });

for (let index = 0; index < deployments; index++) await cluster.apply(deployment(`web-${index}`), { manager: "bench" });
await clock.settle();

const { items } = await cluster.list({ group: "apps", version: "v1", kind: "Deployment" });
const available = items.reduce((sum, item) => sum + numberAt(item, "status.availableReplicas", 0), 0);
if (available !== deployments * replicas) throw new Error(`only ${available} of ${deployments * replicas} replicas are available`);
const { user, system } = process.cpuUsage(start);
const cost: RolloutCost = {
  cpuMs: (user + system) / 1000,
  peakMb: process.resourceUsage().maxRSS / 1024,
  virtualMs: clock.now() - began,
  available,
};
process.stdout.write(JSON.stringify(cost));

function deployment(name: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "default", labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "web",
              image: "registry.example/web:1.0",
              ports: [{ containerPort: 8080 }],
              resources: { requests: { cpu: "10m", memory: "16Mi" } },
              readinessProbe: { httpGet: { path: "/ready", port: 8080 }, periodSeconds: 2 },
            },
          ],
        },
      },
    },
  };
}
