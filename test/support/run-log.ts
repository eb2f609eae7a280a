/** Runs plans on the embedded cluster in virtual time and logs their progress. */
import { VirtualClock } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { connect, type Cluster } from "../../src/kube/index.ts";
import { titleOf, type KubeObject } from "../../src/core/object/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../src/embedded/index.ts";
import type { OrderingConstraints, Ordered } from "../../src/release/order/index.ts";
import { hook as anyHook, item as anyItem, planned } from "./plan/plan-notation.ts";
import type { PlanInput, DesiredManifest } from "../../src/release/plan/index.ts";
import type { Progress } from "../../src/release/progress.ts";
import { runPlan, type RunPlanOptions, type ApplyContext } from "../../src/release/apply/index.ts";

/** An embedded cluster with a namespace. */
export type PlanCluster = { readonly clock: VirtualClock; readonly cluster: Cluster };

/** `between` stands between the client and the cluster. */
export async function startPlanCluster(behaviour: unknown = [], between = (exchange: Exchange) => exchange): Promise<PlanCluster> {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock, behaviour: parseBehaviour(behaviour).behaviour });
  const cluster = connect(between(exchange), { clock, namespace: "shop" });
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await clock.advance(1000);
  return { clock, cluster };
}

const specs: Readonly<Record<string, (name: string, image: string) => object>> = {
  ConfigMap: () => ({ data: {} }),
  Deployment: (name, image) => workload(name, image),
  StatefulSet: (name, image) => workload(name, image, { serviceName: name }),
  Job: (_, image) => ({ spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image }] } } } }),
  Service: (name) => ({ spec: { selector: { app: name }, ports: [{ port: 80 }] } }),
  ServiceAccount: () => ({}),
};

function workload(name: string, image: string, more: object = {}): object {
  const labels = { app: name };
  return {
    spec: { ...more, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: "c", image }] } } },
  };
}

export function workloadItem(
  kind: string,
  name: string,
  constraints: Partial<OrderingConstraints> = {},
  image = "nginx:1",
): Ordered<DesiredManifest> {
  return anyItem(kind, name, constraints, specs[kind]?.(name, image) ?? {});
}

export function workloadHook(
  kind: string,
  name: string,
  stages: OrderingConstraints["stages"],
  constraints: Partial<OrderingConstraints> = {},
  image = "job:1",
): Ordered<DesiredManifest> {
  const { ref, constraints: said } = anyHook(kind, name, stages, constraints);
  const { item: wanted } = workloadItem(kind, name, {}, image);
  return { item: wanted, ref, constraints: said };
}

function textOf(event: Progress): string {
  if (event.type === "planned") return "planned";
  const because = "because" in event && event.because !== undefined ? `: ${event.because}` : "";
  if (event.type === "done") return `done ${event.status}${because}`;
  if (event.type === "event") return `event ${event.text}`;
  if (event.type === "log")
    return `log ${event.container}: ${"line" in event ? event.line : "skipped" in event ? `${event.skipped} skipped` : event.because}`;
  return `${event.type} ${event.verb} ${titleOf(event.ref)}${because}`;
}

export type RunLog = { readonly lines: string[]; readonly at: Map<string, number>; readonly events: Progress[] };

/** Runs a plan. Logs one line per event, and when each line came first, in seconds from the start. */
export async function runAndLog(
  { clock, cluster }: PlanCluster,
  input: Partial<PlanInput> & Pick<PlanInput, "desired">,
  options: Partial<RunPlanOptions> & Partial<ApplyContext> = {},
): Promise<RunLog> {
  const log: RunLog = { lines: [], at: new Map(), events: [] };
  const start = clock.now();
  const { signal = new AbortController().signal, record, ...rest } = options;
  const site: ApplyContext = { cluster, ...(record === undefined ? {} : { record }) };
  const reading = (async () => {
    for await (const event of runPlan(planned(input), site, { signal, ...rest })) {
      const line = textOf(event);
      log.events.push(event);
      log.lines.push(line);
      if (!log.at.has(line)) log.at.set(line, (clock.now() - start) / 1000);
    }
  })();
  await clock.until(reading);
  return log;
}

/** Without reasons, and without the many `waiting` and `started` lines. */
export function endsIn({ lines }: RunLog): string[] {
  return lines.filter((line) => !/^(waiting|started)/.test(line)).map((line) => (line.startsWith("done") ? line : line.replace(/:.*/, "")));
}

export function findObject({ cluster }: PlanCluster, kind: string, name: string): Promise<KubeObject | undefined> {
  return cluster.find(anyItem(kind, name).ref);
}

/** Constraints with another tracking. */
export function tracked(more: Partial<OrderingConstraints["tracking"]>): Partial<OrderingConstraints> {
  return { tracking: { ...anyItem("ConfigMap", "x").constraints.tracking, ...more } };
}
