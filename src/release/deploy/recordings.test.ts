import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Answer, Exchange } from "../../core/exchange/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../embedded/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import type { Progress } from "../index.ts";
import { findReleaseRecording, readReleaseRecording, timelineOf, type Recording } from "../recording/index.ts";
import { historyOf } from "../record/index.ts";
import { deploy, rollback, uninstallRelease, type DeployOptions } from "./index.ts";

const release = { name: "web", namespace: "default" };
const never = new AbortController().signal;
const password = "correct-horse-battery";

const app = (image: string) => `
apiVersion: v1
kind: Secret
metadata: {name: creds}
stringData: {password: ${password}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {werf.io/weight: "-10"}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {of: "${image}"}}
spec: {selector: {matchLabels: {a: web}}, template: {metadata: {labels: {a: web}}, spec: {containers: [{name: c, image: app}]}}}
`;
const rules = [
  { match: { image: "slow" }, pull: "1s", run: "60s" },
  { match: { image: "quick" }, pull: "1s", run: "2s" },
  { match: { image: "app" }, pull: "1s" },
  { match: { image: "talking" }, run: "1s", logs: [`the token is ${password}`] },
  { match: { image: "talking:*" }, pull: { fail: "" } },
];

type Lab = { readonly clock: VirtualClock; readonly cluster: Cluster; readonly exchange: Exchange };

function startLab(): Lab {
  const clock = new VirtualClock();
  const { behaviour, problems } = parseBehaviour(rules);
  assert.deepEqual(problems, []);
  const { exchange } = startEmbeddedCluster({ clock, behaviour });
  return { clock, exchange, cluster: connect(exchange, { clock }) };
}

let identities = 0;
const warnings: string[] = [];

function options(more: Partial<DeployOptions> = {}): DeployOptions {
  const recording = { onWarning: (warning: string) => void warnings.push(warning) };
  return { signal: never, identity: `tester-${++identities}`, hasDied: () => true, recording, ...more };
}

function deploying(cluster: Cluster, image: string, more: Partial<DeployOptions> = {}): AsyncGenerator<Progress> {
  const { manifests } = readManifests(app(image), "web.yaml");
  return deploy({ release, manifests }, cluster, options(more));
}

/** The same without a recording. */
function bareDeploy(cluster: Cluster): AsyncGenerator<Progress> {
  const { recording: _recording, ...bare } = options();
  return deploy({ release, manifests: readManifests(app("slow"), "web.yaml").manifests }, cluster, bare);
}

async function endOf({ clock }: Lab, events: AsyncIterable<Progress>): Promise<string | undefined> {
  const listen = async () => {
    let end: string | undefined;
    for await (const event of events) if (event.type === "done") end = event.status;
    return end;
  };
  return clock.until(listen());
}

async function recordingOf({ clock, cluster }: Lab, revision?: number): Promise<Recording> {
  const { recording } = await clock.until(findReleaseRecording(release, revision, cluster, { signal: never }));
  assert.ok(recording);
  return recording;
}

async function recordingNames({ clock, cluster }: Lab): Promise<readonly string[]> {
  await clock.advance(60_000);
  const { items } = await clock.until(cluster.list({ group: "", version: "v1", kind: "Secret" }, { namespace: "default" }));
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith("sluice.recording"));
}

test("the story of an ordered deploy is beside its record, and goes with it", async () => {
  const lab = startLab();
  assert.equal(await endOf(lab, deploying(lab.cluster, "slow")), "deployed");
  const first = await recordingOf(lab);
  const { rows, criticalPath, status, lengthMs } = timelineOf(first);
  assert.equal(status, "deployed");
  assert.deepEqual(
    rows.map(({ ref, outcome }) => `${titleOf(ref)} ${outcome}`),
    ["job/migrate finished", "secret/creds finished", "deployment/web finished"],
  );
  const [job, , web] = rows;
  assert.ok(job!.toMs >= 60_000 && job!.toMs <= web!.fromMs && web!.toMs <= lengthMs, JSON.stringify(rows));
  assert.deepEqual(
    criticalPath.filter(({ fromMs, toMs }) => toMs > fromMs).map(({ ref }) => titleOf(ref)),
    ["job/migrate", "deployment/web"],
  );
  const pods = first.runs[0]!.pods;
  assert.deepEqual(pods.map(({ owner }) => `${owner.kind} ${owner.name}`).toSorted(), ["Deployment web", "Job migrate"]);
  const [ran] = pods.find(({ owner }) => owner.kind === "Job")!.containers;
  assert.equal(ran!.finishedAtMs! - ran!.startedAtMs!, 60_000);
  assert.equal(ran!.pullMs, 1000);

  // Nothing to change, nothing to record.
  assert.equal(await endOf(lab, deploying(lab.cluster, "slow")), "unchanged");
  assert.deepEqual(await recordingNames(lab), ["sluice.recording.v1.web.v1"]);
  assert.equal(await endOf(lab, rollback({ release, to: 1 }, lab.cluster, options())), "deployed");
  assert.equal(await endOf(lab, deploying(lab.cluster, "quick", { historyMax: 2 })), "deployed");
  assert.deepEqual(await recordingNames(lab), ["sluice.recording.v1.web.v2", "sluice.recording.v1.web.v3"]);
  assert.equal(await endOf(lab, uninstallRelease({ release }, lab.cluster, options({ keepHistory: true }))), "deleted");
  assert.deepEqual((await recordingNames(lab)).at(-1), "sluice.recording.v1.web.v3.delete");
  assert.equal((await recordingOf(lab)).runs[0]!.operation, "delete");
  assert.equal((await recordingOf(lab, 3)).runs[0]!.operation, "upgrade");
  assert.equal(await endOf(lab, uninstallRelease({ release, purge: true }, lab.cluster, options())), "deleted");
  assert.deepEqual(await recordingNames(lab), []);
  await assert.rejects(lab.clock.until(readReleaseRecording(release, lab.cluster, { signal: never })), /there is no recording of it/);
  assert.deepEqual(warnings, []);
});

test("a deploy that is killed at any step and carried on is one story", async () => {
  const steps = 8;
  for (let kill = 1; kill <= steps; kill++) {
    const lab = startLab();
    const dead = new AbortController();
    const cut: Exchange = (request) => (dead.signal.aborted ? new Promise<Answer>(() => {}) : lab.exchange(request));
    const run = deploying(connect(cut, { clock: lab.clock }), "slow");
    const listen = async () => {
      let finished = 0;
      for await (const event of run) if (event.type === "finished" && ++finished === kill) return;
    };
    // A killed process writes nothing more: its generator is left where it stands.
    await lab.clock.until(
      listen().then(
        () => dead.abort(),
        () => undefined,
      ),
    );
    await lab.clock.advance(120_000);
    const status = await endOf(lab, deploying(lab.cluster, "slow"));
    assert.ok(status === "deployed" || status === "unchanged", `${kill}: ${status}`);
    const { runs } = await recordingOf(lab);
    const drawn = timelineOf({ version: 1, subject: { type: "release", ...release, revision: 1 }, runs });
    // Nothing is written by a run that has nothing to do, so the end that the killed one did not write is missing.
    assert.equal(drawn.status, status === "deployed" ? "deployed" : "unfinished", String(kill));
    assert.ok(drawn.runs.length <= 2 && (kill === 1 || status === "unchanged" || drawn.runs.length === 2), String(kill));
    assert.ok(
      drawn.rows.some(({ ref }) => ref.kind === "Deployment"),
      String(kill),
    );
  }
});

test("secrets are in no recording, and a failure says what it can", async () => {
  const lab = startLab();
  const status = await endOf(lab, deploying(lab.cluster, `registry.invalid/x:${password}`, { timeoutMs: 20_000 }));
  assert.equal(status, "failed");
  const recording = await recordingOf(lab);
  const text = JSON.stringify(recording);
  for (const spelling of [password, Buffer.from(password).toString("base64")]) assert.ok(!text.includes(spelling), spelling);
  assert.match(text, /x:\(hidden\)/);
  assert.match(timelineOf(recording).because ?? "", /^job\/migrate: /);
});

test("what annotations mark as sensitive is in no recording and no log, whether the object is changed or not", async () => {
  const settings = `
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, annotations: {werf.io/sensitive-paths: $.data.token}}
data: {token: ${password}}
`;
  const lab = startLab();
  const lines: string[] = [];
  for (const image of ["talking", `talking:${password}`]) {
    const { manifests } = readManifests(
      app(image).replace("kind: Secret", "kind: ConfigMap").replace("stringData", "data") + settings,
      "web.yaml",
    );
    const listen = async () => {
      for await (const event of deploy({ release, manifests }, lab.cluster, options({ timeoutMs: 20_000, logs: "jobs" })))
        lines.push(JSON.stringify(event.type === "planned" ? "" : event));
    };
    await lab.clock.until(listen());
  }
  assert.match(lines.join("\n"), /"line":"the token is \(hidden\)"/);
  const [first, second] = [await recordingOf(lab, 1), await recordingOf(lab, 2)];
  for (const text of [...lines.filter((line) => line.includes('"log"')), JSON.stringify([first, second])])
    assert.ok(!text.includes(password), text);
  assert.match(JSON.stringify(second), /talking:\(hidden\)/);
});

test("a recording that cannot be written is a warning, and takes no round trip of the deploy", async () => {
  const forbidden = { apiVersion: "v1", kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "not today" };
  const startWith = (refuses: boolean, paths: string[]) => {
    const lab = startLab();
    const exchange: Exchange = async (request) => {
      const isRecording = request.path.includes("fieldManager=sluice-recording");
      if (!request.path.includes("/leases/")) paths.push(isRecording ? "recording" : request.path);
      if (isRecording && refuses)
        return { status: 403, headers: { "content-type": "application/json" }, body: [JSON.stringify(forbidden)] };
      return lab.exchange(request);
    };
    return { ...lab, cluster: connect(exchange, { clock: lab.clock }) };
  };
  warnings.length = 0;
  const lab = startWith(true, []);
  assert.equal(await endOf(lab, deploying(lab.cluster, "slow")), "deployed");
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^the recording for sluice timeline could not be written; .*\(--no-recording leaves it out\): .*not today/);
  assert.equal((await lab.clock.until(historyOf(lab.cluster).latest(release)))?.state, "deployed");
  assert.deepEqual(await recordingNames(lab), []);

  // It is written two seconds after the first change and at the end, and not while nothing happens. Nothing is read but the pods.
  const [bare, recorded]: [string[], string[]] = [[], []];
  const without = startWith(false, bare);
  assert.equal(await endOf(without, bareDeploy(without.cluster)), "deployed");
  const recording = startWith(false, recorded);
  assert.equal(await endOf(recording, deploying(recording.cluster, "slow")), "deployed");
  const extra = recorded.filter((path) => path === "recording");
  assert.equal(extra.length, 2);
  const pods = ["GET /api/v1/namespaces/default/pods", "GET /api/v1/namespaces/default/events"];
  assert.equal(recorded.length - extra.length - bare.length, pods.length);
});

test("an object that is deleted during the run has a second span, and nothing takes less than no time", async () => {
  const lab = startLab();
  const { clock, cluster } = lab;
  const { manifests } = readManifests(app("slow").replace("werf.io/weight", "unweighted"), "web.yaml");
  const ended = endOf(lab, deploy({ release, manifests }, cluster, options()));
  await clock.advance(20_000);
  await cluster.delete({ group: "", version: "v1", kind: "Secret", namespace: "default", name: "creds" });
  assert.equal(await ended, "deployed");
  const { rows, waits, criticalPath, lengthMs } = timelineOf(await recordingOf(lab));
  const row = rows.find(({ ref }) => titleOf(ref) === "secret/creds");
  const wait = waits.find(({ because }) => because === "it was deleted; it is created again");
  assert.ok(wait !== undefined && wait.fromMs > 60_000, JSON.stringify(waits));
  assert.deepEqual([row?.spans.at(-1)?.fromMs, row?.toMs, row?.outcome], [wait.fromMs, wait.toMs, "finished"]);
  for (const { fromMs, toMs } of [...waits, ...criticalPath, ...rows.flatMap(({ spans }) => spans)])
    assert.ok(fromMs >= 0 && fromMs <= toMs && toMs <= lengthMs, `${fromMs} to ${toMs}`);
});
