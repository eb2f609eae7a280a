/** Plans that are run on the embedded cluster in virtual time, and what they tell. */
import { VirtualClock } from "../../src/core/clock/index.ts";
import { connect, type Cluster } from "../../src/kube/index.ts";
import { titleOf, type KubeObject } from "../../src/core/object/index.ts";
import { parseBehaviour, simulate } from "../../src/embedded/index.ts";
import type { Claims, Ordered } from "../../src/release/order/index.ts";
import { hook as anyHook, item as anyItem, planned } from "./plan/fixture.ts";
import type { PlanInput, Wanted } from "../../src/release/plan/index.ts";
import type { Story } from "../../src/release/progress.ts";
import { run, type RunOptions, type Site } from "../../src/release/apply/index.ts";

/** An embedded cluster with a namespace. */
export type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster };

export async function lab(behaviour: unknown = []): Promise<Lab> {
  const clock = new VirtualClock();
  const { exchange } = simulate({ clock, behaviour: parseBehaviour(behaviour).behaviour });
  const cluster = connect(exchange, { clock, namespace: "shop" });
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

export function item(kind: string, name: string, claims: Partial<Claims> = {}, image = "nginx:1"): Ordered<Wanted> {
  return anyItem(kind, name, claims, specs[kind]?.(name, image) ?? {});
}

export function hook(kind: string, name: string, stages: Claims["stages"], claims: Partial<Claims> = {}, image = "job:1"): Ordered<Wanted> {
  const { ref, claims: said } = anyHook(kind, name, stages, claims);
  const { item: wanted } = item(kind, name, {}, image);
  return { item: wanted, ref, claims: said };
}

function textOf(event: Story): string {
  if (event.type === "planned") return "planned";
  const because = "because" in event && event.because !== undefined ? `: ${event.because}` : "";
  if (event.type === "done") return `done ${event.status}${because}`;
  return `${event.type} ${event.verb} ${titleOf(event.ref)}${because}`;
}

export type Told = { readonly lines: string[]; readonly at: Map<string, number>; readonly events: Story[] };

/** What happens, one line each, and when each was first told, in seconds from the start. */
export async function story(
  { clock, cluster }: Lab,
  input: Partial<PlanInput> & Pick<PlanInput, "desired">,
  options: Partial<RunOptions> & Partial<Site> = {},
): Promise<Told> {
  const told: Told = { lines: [], at: new Map(), events: [] };
  const start = clock.now();
  const { signal = new AbortController().signal, record, ...rest } = options;
  const site: Site = { cluster, ...(record === undefined ? {} : { record }) };
  const reading = (async () => {
    for await (const event of run(planned(input), site, { signal, ...rest })) {
      const line = textOf(event);
      told.events.push(event);
      told.lines.push(line);
      if (!told.at.has(line)) told.at.set(line, (clock.now() - start) / 1000);
    }
  })();
  await clock.until(reading);
  return told;
}

/** Without reasons, and without `waiting` and `started`, which are many. */
export function ends({ lines }: Told): string[] {
  return lines.filter((line) => !/^(waiting|started)/.test(line)).map((line) => (line.startsWith("done") ? line : line.replace(/:.*/, "")));
}

export function find({ cluster }: Lab, kind: string, name: string): Promise<KubeObject | undefined> {
  return cluster.find(anyItem(kind, name).ref);
}

/** Claims of an object whose trouble counts otherwise. */
export function tracked(more: Partial<Claims["tracking"]>): Partial<Claims> {
  return { tracking: { ...anyItem("ConfigMap", "x").claims.tracking, ...more } };
}
