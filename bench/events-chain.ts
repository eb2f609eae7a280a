/** The postgresql-order example on real control planes: what its three events add to the time of the workloads. */
import { newInformer } from "../src/kube/index.ts";
import { findCondition, numberAt, type KubeObject } from "../src/core/object/index.ts";
import type { Behaviour } from "../src/embedded/index.ts";
import { exampleManifests } from "../test/sveltos/test-fleet.ts";
import { startKubelet } from "../test/cluster/kubelet.ts";
import { kubernetesVersion } from "../test/cluster/toolchain.ts";
import type { EventsFixture } from "./events-fixture.ts";
import { reportNote, reportAtMost } from "./report.ts";

const pull = { after: { fixed: 1000 } };
const start = { fixed: 500 };
const seconds = (count: number) => ({ after: { fixed: count * 1000 } });

/** Quick workloads: the slower they are, the less the events count. */
const behaviour: Behaviour = {
  rules: [
    { match: { kind: "Job" }, pull, start, run: seconds(3), result: { exitCode: 0 } },
    { match: {}, pull, start, ready: seconds(5), run: { never: "" }, terminate: { after: start, exitCode: 0 } },
  ],
};

const links = ["postgresql", "todo-table", "todo-gitops", "todo-insert"] as const;
const deployments = { group: "apps", version: "v1", kind: "Deployment" };
const jobs = { group: "batch", version: "v1", kind: "Job" };

export async function benchChain(fixture: EventsFixture): Promise<void> {
  const { managed, worker, signal } = fixture;
  const kubelet = await startKubelet({ cluster: managed, credentials: worker.credentials, behaviour, version: kubernetesVersion, fail });
  const done = new AbortController();
  try {
    const marks = new Map<string, { readonly seenAt: number; readyAt?: number }>();
    const watching = [deployments, jobs].map((kind) => follow(fixture, kind, marks, AbortSignal.any([signal, done.signal])));
    const files = ["configmaps", "insert-table", "todo-app", "insert-data"];
    for (const object of files.flatMap((file) => exampleManifests(`postgresql-order/${file}.yaml`))) await apply(fixture, object);
    const startedAt = performance.now();
    for (const object of exampleManifests("postgresql-order/postgresql.yaml")) await apply(fixture, object);
    await Promise.race([Promise.all(watching), timeout()]);
    const own = links.map((name) => marks.get(name)!.readyAt! - marks.get(name)!.seenAt);
    const whole = Math.max(...links.map((name) => marks.get(name)!.readyAt!)) - startedAt;
    const all = own.reduce((sum, ms) => sum + ms, 0);
    reportAtMost("PostgreSQL, table, app, data: what the hops add to the workloads", ((whole - all) / all) * 100, 5, " %");
    reportNote(
      "all of it, and the workloads by themselves",
      `${whole.toFixed(0)} and ${all.toFixed(0)} ms (${own.map(Math.round).join(" + ")})`,
    );
  } finally {
    done.abort();
    await kubelet.stop();
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

function apply({ hub }: EventsFixture, object: KubeObject): Promise<unknown> {
  return hub.apply(object, { manager: "kubectl", force: true });
}

function timeout(): Promise<never> {
  return new Promise((_, reject) =>
    setTimeout(() => reject(new Error("the chain has not come to its end within a minute")), 60_000).unref(),
  );
}

/** Resolves when both workloads of this kind are ready. */
async function follow(
  { managed }: EventsFixture,
  kind: typeof jobs,
  marks: Map<string, { readonly seenAt: number; readyAt?: number }>,
  signal: AbortSignal,
): Promise<void> {
  let ready = 0;
  for await (const change of newInformer(managed, kind, { namespace: "todo", signal })) {
    if (change.type !== "added" && change.type !== "modified") continue;
    const { name } = change.object.metadata;
    const mark = marks.get(name) ?? { seenAt: performance.now() };
    marks.set(name, mark);
    if (mark.readyAt !== undefined || !isReady(change.object)) continue;
    mark.readyAt = performance.now();
    if (++ready === links.length / 2) return;
  }
}

function isReady(object: KubeObject): boolean {
  return object.kind === "Job"
    ? findCondition(object, "Complete", "True") !== undefined
    : numberAt(object, "status.availableReplicas", 0) > 0;
}
