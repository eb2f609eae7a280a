import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { beginAsHelm, endAsHelm } from "../../../test/support/helm-record.ts";
import type { Progress } from "../index.ts";
import { historyOf } from "../record/index.ts";
import {
  deploy,
  proposeDeploy,
  readIdentity,
  rollback,
  test as testRelease,
  uninstallRelease,
  usePlan,
  type DeployOptions,
} from "./index.ts";

const release = { name: "web", namespace: "default" };
const signal = new AbortController().signal;
let identities = 0;

type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster };

/** A cluster with two revisions of a release, and a third that Helm began so long ago. */
async function startBesideHelm(ageMs: number, state: "pending-upgrade" | "uninstalling" = "pending-upgrade"): Promise<Lab> {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const at = { clock, cluster };
  for (const value of ["1", "2"]) await run(at, deploy(requestFor(value), cluster, options()));
  await clock.until(beginAsHelm(cluster, release, state, clock.now() - ageMs));
  return at;
}

const requestFor = (value: string) => {
  const { manifests } = readManifests(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {value: "${value}"}\n`, "a.yaml");
  return { release, manifests };
};

function options(more: Partial<DeployOptions> = {}): DeployOptions {
  return { signal, identity: `tester-${++identities}`, ...more };
}

/** The reasons for waiting and the end, each with the second at which it was told. */
async function run({ clock }: Lab, events: AsyncIterable<Progress>, look: (event: Progress) => void = () => undefined): Promise<string[]> {
  const lines: string[] = [];
  const start = clock.now();
  const tell = (text: string) => lines.push(`${Math.round((clock.now() - start) / 1000)} ${text}`);
  const listen = async () => {
    for await (const event of events) {
      look(event);
      if (event.type === "waiting" && event.id === "helm") tell(event.because);
      if (event.type === "done") tell(event.status);
    }
  };
  await clock.until(listen().catch((error: Error) => tell(`! ${error.message}`)));
  return lines;
}

async function states({ cluster, clock }: Lab): Promise<string> {
  const revisions = await clock.until(historyOf(cluster).revisions(release));
  return revisions.map(({ revision, state }) => `${revision} ${state}`).join(", ");
}

const waiting =
  "0 Helm is at work on revision 3 (pending-upgrade), last seen 1m40s ago: it is taken over in 8m20s, or at once with --take-over-pending";

test("a deploy waits until Helm has ended its upgrade, and follows it", async () => {
  const at = await startBesideHelm(100_000);
  at.clock.after(30_000, () => void endAsHelm(at.cluster, release, "deployed"));
  assert.deepEqual(await run(at, deploy(requestFor("3"), at.cluster, options())), [waiting, "30 deployed"]);
  assert.equal(await states(at), "1 superseded, 2 superseded, 3 superseded, 4 deployed");
});

test("a revision that Helm has not written for ten minutes is taken over", async () => {
  const at = await startBesideHelm(100_000);
  assert.deepEqual(await run(at, deploy(requestFor("3"), at.cluster, options({ timeoutMs: 600_000 }))), [waiting, "500 deployed"]);
  assert.equal(await states(at), "1 superseded, 2 superseded, 3 failed, 4 deployed");
  const old = await startBesideHelm(600_000);
  assert.deepEqual(await run(old, deploy(requestFor("3"), old.cluster, options())), ["0 deployed"]);
});

test("a clock of Helm's that is ahead does not prolong the wait", async () => {
  const at = await startBesideHelm(-3_600_000);
  assert.match((await run(at, deploy(requestFor("3"), at.cluster, options()))).at(-1)!, /^600 deployed/);
});

test("a sign of life of Helm's prolongs the wait", async () => {
  const at = await startBesideHelm(500_000);
  at.clock.after(50_000, () => void endAsHelm(at.cluster, release, "pending-upgrade"));
  assert.equal((await run(at, deploy(requestFor("3"), at.cluster, options()))).at(-1), "650 deployed");
});

const operations: readonly (readonly [string, (at: Lab, options: DeployOptions) => AsyncIterable<Progress>])[] = [
  ["deployed", ({ cluster }, how) => deploy(requestFor("3"), cluster, how)],
  ["deployed", ({ cluster }, how) => rollback({ release, to: 1 }, cluster, how)],
  ["deleted", ({ cluster }, how) => uninstallRelease({ release }, cluster, how)],
  ["deployed", ({ cluster }, how) => testRelease({ release }, cluster, how)],
  [
    "deployed",
    async function* ({ cluster }, how) {
      const identity = await readIdentity(cluster, "default", { signal });
      yield* usePlan({ cluster: identity, proposal: await proposeDeploy(requestFor("3"), cluster, { signal }) }, cluster, how);
    },
  ],
];

test("every operation waits for Helm, and none with --take-over-pending", async () => {
  for (const [end, operation] of operations) {
    const late = await startBesideHelm(100_000);
    const upTo = /^60 ! work on release web in default: the time is up: Helm is at work on revision 3/;
    assert.match((await run(late, operation(late, options({ timeoutMs: 60_000 })))).at(-1)!, upTo);
    const at = await startBesideHelm(100_000);
    assert.deepEqual(await run(at, operation(at, options({ takeOverPending: true }))), [`0 ${end}`]);
  }
});

test("a saved plan is refused when Helm has ended its revision meanwhile", async () => {
  const at = await startBesideHelm(100_000);
  at.clock.after(1_000, () => void endAsHelm(at.cluster, release, "deployed"));
  assert.match((await run(at, operations.at(-1)![1](at, options()))).at(-1)!, /^1 ! use the plan for release web in default: /);
});

test("a deploy waits for Helm's uninstall as well", async () => {
  const at = await startBesideHelm(100_000, "uninstalling");
  assert.match(
    (await run(at, deploy(requestFor("3"), at.cluster, options()))).join("\n"),
    /revision 3 \(uninstalling\)[^]*\n500 deployed$/,
  );
});

test("an interrupted revision of our own is carried on at once", async () => {
  const at = await startBesideHelm(600_000);
  const stop = new AbortController();
  const stopAtApply = (event: Progress) => event.type === "started" && event.verb === "apply" && stop.abort();
  await run(at, deploy(requestFor("3"), at.cluster, options({ signal: stop.signal })), stopAtApply);
  assert.match(await states(at), /4 pending-upgrade$/);
  assert.deepEqual(await run(at, deploy(requestFor("3"), at.cluster, options())), ["0 deployed"]);
});
