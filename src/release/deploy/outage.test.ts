import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect, ConnectionFault, type Cluster } from "../../kube/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import type { Progress } from "../index.ts";
import { historyOf } from "../record/index.ts";
import { deploy, uninstallRelease } from "./index.ts";

const release = { name: "web", namespace: "default" };
const signal = new AbortController().signal;

type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster; readonly cutOff: Cluster; cut(): void };

/** A cluster that one client does not reach for so long once it is cut off: it refuses connections, or does not answer. */
function startWithOutage(forMs: number, how: "refuses" | "hangs"): Lab {
  const clock = new VirtualClock();
  const behaviour = parseBehaviour([{ match: { image: "slow" }, run: "90s" }]);
  assert.deepEqual(behaviour.problems, []);
  const { exchange } = startEmbeddedCluster({ clock, behaviour: behaviour.behaviour });
  let since = Number.POSITIVE_INFINITY;
  const isAway = () => clock.now() >= since && clock.now() < since + forMs;
  const reach: Exchange = async (request) => {
    if (!isAway()) return exchange(request);
    if (how === "refuses") throw new ConnectionFault("connect to the cluster: refused", { code: "ECONNREFUSED", unsent: true });
    return new Promise<never>((_resolve, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
    });
  };
  return { clock, cluster: connect(exchange, { clock }), cutOff: connect(reach, { clock }), cut: () => void (since = clock.now()) };
}

const manifests = (value: string) =>
  readManifests(
    `
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: slow}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {value: "${value}"}
`,
    "web.yaml",
  ).manifests;

async function endOf(events: AsyncIterable<Progress>, look: (event: Progress) => void = () => undefined): Promise<string> {
  let end = "";
  try {
    for await (const event of events) {
      look(event);
      if (event.type === "done") end = `${event.status} ${event.because ?? ""}`.trim();
    }
  } catch (error) {
    end = `! ${error instanceof Error ? error.message : String(error)}`;
  }
  return end;
}

const states = async ({ cluster, clock }: Lab) =>
  (await clock.until(historyOf(cluster).revisions(release))).map(({ revision, state }) => `${revision} ${state}`).join(", ");

/** When the outage begins: before the first write of the plan, or while a hook is waited for. */
const moments: readonly (readonly [string, (event: Progress) => boolean])[] = [
  ["before the first write", ({ type }) => type === "planned"],
  ["during a hook", (event) => event.type === "waiting" && event.verb === "await"],
];

const leaseRef = { group: "coordination.k8s.io", version: "v1", kind: "Lease", namespace: "default", name: "sluice.release.web" };

for (const how of ["refuses", "hangs"] as const) {
  for (const [when, isMoment] of moments) {
    test(`a deploy goes on after a minute in which the API server ${how}, ${when}`, async () => {
      const at = startWithOutage(60_000, how);
      let cuts = 0;
      const cut = (event: Progress) => isMoment(event) && cuts++ === 0 && at.cut();
      const start = at.clock.now();
      const deploying = deploy({ release, manifests: manifests("1") }, at.cutOff, { signal, identity: "a" });
      assert.equal(await at.clock.until(endOf(deploying, cut)), "deployed");
      assert.ok(cuts > 0 && at.clock.now() - start > 60_000);
      assert.equal(await states(at), "1 deployed");
      const jobs = await at.clock.until(at.cluster.list({ group: "batch", version: "v1", kind: "Job" }));
      assert.equal(jobs.items.length, 1);
      assert.equal(await at.clock.until(at.cluster.find(leaseRef)), undefined);
    });
  }

  test(`a deletion goes on after a minute in which the API server ${how}`, async () => {
    const at = startWithOutage(60_000, how);
    await at.clock.until(endOf(deploy({ release, manifests: manifests("1").slice(1) }, at.cluster, { signal, identity: "a" })));
    const cut = ({ type }: Progress) => type === "planned" && at.cut();
    assert.equal(await at.clock.until(endOf(uninstallRelease({ release }, at.cutOff, { signal, identity: "b" }), cut)), "deleted");
    assert.equal(await states(at), "");
  });
}

test("who was cut off while another deployed says so, and what to do", async () => {
  const at = startWithOutage(300_000, "hangs");
  const cut = (event: Progress) => event.type === "started" && event.verb === "await" && at.cut();
  const first = endOf(deploy({ release, manifests: manifests("1") }, at.cutOff, { signal, identity: "first" }), cut);
  const second = async () => {
    await new Promise<void>((resolve) => at.clock.after(20_000, resolve));
    return endOf(deploy({ release, manifests: manifests("2") }, at.cluster, { signal, identity: "second" }));
  };
  const [one, two] = await at.clock.until(Promise.all([first, second()]));
  assert.equal(two, "deployed");
  assert.match(one, /^! lost the lease of release web in default: it was taken over by .*: run the same command again, and it carries on$/);
  assert.equal(await states(at), "1 failed, 2 deployed");
});
