/** Measures one plan: `node bench/planning-process.ts 20000` prints its cost as JSON. */
import { positionText, type LocatedManifest } from "../src/lang/yaml/index.ts";
import { order } from "../src/release/order/index.ts";
import { buildPlan } from "../src/release/plan/index.ts";
import type { KubeObject } from "../src/core/object/index.ts";
import type { PlanningCost } from "./planning.ts";

const count = Number(process.argv[2] ?? 20_000);
const perRank = 200;
const namespace = "shop";

const manifests = Array.from({ length: count }, (_, at) => manifest(at));

const start = process.cpuUsage();
const { ordered, problems } = order(manifests, { namespace });
const orderMs = cpuMsSince(start);
const desired = ordered.map(({ item, ref, constraints }) => ({
  item: { object: item.object, at: positionText(item.at) },
  ref,
  constraints,
}));
const planned = buildPlan({ operation: "install", release: { name: "bench", namespace, revision: 1 }, desired });
const cpuMs = cpuMsSince(start);

if (problems.length > 0 || "problems" in planned) throw new Error("the benchmark's manifests cannot be planned");
const { steps } = planned.plan;
const edges = steps.reduce((sum, { needs }) => sum + needs.length, 0);
if (steps.length < count) throw new Error(`only ${steps.length} steps for ${count} objects`);
const cost: PlanningCost = { cpuMs, orderMs, steps: steps.length, edges };
process.stdout.write(JSON.stringify(cost));

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function manifest(at: number): LocatedManifest {
  const position = { file: "release.yaml", line: 1 + at * 20 };
  return { object: objectAt(at), at: position, positionOf: () => position };
}

/** In groups of four: a ConfigMap, a Secret, a Deployment that mounts both, and a Service, in ranks; a few have dependencies by name. */
function objectAt(at: number): KubeObject {
  const name = `app-${Math.floor(at / 4)}`;
  const weight = String(Math.floor(at / perRank));
  const annotations: Record<string, string> = { "werf.io/weight": weight };
  const metadata = { name, annotations, labels: { app: name } };
  if (at % 4 === 0) return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { mode: "fast" } };
  if (at % 4 === 1) return { apiVersion: "v1", kind: "Secret", metadata, stringData: { password: "secret" } };
  if (at % 4 === 3)
    return { apiVersion: "v1", kind: "Service", metadata, spec: { selector: metadata.labels, ports: [{ port: 80, targetPort: 8080 }] } };
  if (at % 40 === 2 && at > 40)
    annotations["werf.io/deploy-dependency-before"] = `state=ready,kind=Deployment,name=app-${Math.floor(at / 4) - 10}`;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: 2, selector: { matchLabels: metadata.labels }, template: template(name) },
  };
}

function template(name: string): object {
  const container = {
    name: "app",
    image: "registry.example/app:1",
    ports: [{ containerPort: 8080 }],
    envFrom: [{ configMapRef: { name } }],
    env: [{ name: "PASSWORD", valueFrom: { secretKeyRef: { name, key: "password" } } }],
  };
  return { metadata: { labels: { app: name } }, spec: { containers: [container] } };
}
