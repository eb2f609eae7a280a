/** Rehearses a rollout of so many workloads in this process, and prints what it costs as JSON. */
import { VirtualClock } from "../src/core/clock/index.ts";
import type { KubeObject } from "../src/core/object/index.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";
import { connect } from "../src/kube/index.ts";
import { readManifests } from "../src/lang/yaml/index.ts";
import { readForRehearsal, rehearse, rehearseEveryFailure } from "../src/release/rehearse/index.ts";
import type { RehearsalCost } from "./rehearsal.ts";

const [workloads = 200, failures = 0] = process.argv.slice(2).map(Number);
const perRank = 10;
const { signal } = new AbortController();

/** Ranks of ten Deployments, each rank ready after three minutes: twenty ranks take an hour. */
function deploymentOf(index: number): KubeObject {
  const name = `app-${index}`;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, annotations: { "werf.io/weight": String(Math.floor(index / perRank)) } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "main", image: "example.com/app:1" }] } },
    },
  };
}

const yaml = Array.from({ length: workloads }, (_, index) => `---\n${JSON.stringify(deploymentOf(index))}\n`).join("");
const request = { release: { name: "app", namespace: "default" }, manifests: readManifests(yaml, "app.yaml").manifests };
const behaviour = { rules: [{ match: { image: "example.com/*" }, ready: { after: { fixed: 180_000 } } }] };
const clock = new VirtualClock();
const live = startEmbeddedCluster({ clock });
const { proposal, snapshot } = await clock.until(readForRehearsal(request, connect(live.exchange, { clock }), { signal }));
live.stop();
const how = { namespace: "default", behaviour, deploy: { signal, timeoutMs: 24 * 3_600_000 } };

const before = process.cpuUsage();
const run = await rehearse(request, snapshot, how);
const { user, system } = process.cpuUsage(before);
const played = process.cpuUsage();
let rows = 0;
if (failures > 0) for await (const _ of rehearseEveryFailure(request, proposal.plan, snapshot, how)) if (++rows === failures) break;
const rest = process.cpuUsage(played);
const cost: RehearsalCost = {
  cpuMs: (user + system) / 1000,
  virtualMs: run.endedAtMs - run.startedAtMs,
  failureCpuMs: rows === 0 ? 0 : (rest.user + rest.system) / 1000 / rows,
};
process.stdout.write(JSON.stringify(cost));
