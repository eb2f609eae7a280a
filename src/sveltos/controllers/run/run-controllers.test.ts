import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { sleep } from "../../../core/clock/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { fieldsAt } from "../../../core/object/index.ts";
import { inProcessOpener } from "../../fleet/index.ts";
import { connect, type Cluster } from "../../../kube/index.ts";
import { leaseDurationMs, leaseKind } from "../../../reconcile/index.ts";
import { Monitor } from "../../telemetry/index.ts";
import type { ControllerSet, RunController } from "./controllers.ts";
import { runControllers, runGroup } from "./index.ts";

const aborted = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** A controller that says when it begins and ends, and takes its time to end. */
function recorder(events: string[], who: string, what: string): RunController {
  return async ({ hub }, signal) => {
    events.push(`${who} begins ${what}`);
    await aborted(signal);
    await sleep(hub.clock, 500).catch(() => undefined);
    events.push(`${who} ends ${what}`);
  };
}

class Replica {
  readonly stop = new AbortController();
  readonly monitor: Monitor;
  readonly ended: Promise<unknown>;
  readonly log: string[] = [];
  isCut = false;
  /** For how long it was suspended: its timers have not fired yet. */
  suspendedMs = 0;

  constructor(fixture: EmbeddedFleet, identity: string, controllers: ControllerSet) {
    this.monitor = new Monitor({ clock: fixture.clock, write: (line) => this.log.push(line) });
    const exchange: Parameters<typeof connect>[0] = async (request) => {
      if (this.isCut) return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
      return fixture.hub.raw(request);
    };
    const { clock } = fixture;
    const hub = connect(exchange, { clock: { now: () => clock.now() + this.suspendedMs, after: (...args) => clock.after(...args) } });
    const { environment } = fixture.context;
    const open = inProcessOpener((name) => fixture.managed(name));
    const options = { hub, namespace: "projectsveltos", identity, open, environment, monitor: this.monitor };
    this.ended = runControllers(options, this.stop.signal, controllers).then(
      () => "well",
      (error: unknown) => error,
    );
  }

  get owned(): number {
    return Number(/^sluice_clusters_owned (\d+)$/m.exec(this.monitor.metrics.text())?.[1]);
  }

  get isLeader(): boolean {
    return this.monitor.metrics.text().includes("\nsluice_leader 1\n");
  }
}

async function opened(t: TestContext): Promise<EmbeddedFleet> {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: {}, c2: {}, c3: {}, c4: {} } });
  t.after(() => fixture.close());
  return fixture;
}

async function leases(fixture: EmbeddedFleet): Promise<readonly string[]> {
  const all = (await fixture.list(leaseKind)).map(({ metadata }) => metadata.name);
  return all.filter((name) => name.startsWith("sluice"));
}

function controllersOf(events: string[], who: string): ControllerSet {
  return { everyReplica: { summaries: recorder(events, who, "summaries") }, leaderOnly: { profiles: recorder(events, who, "profiles") } };
}

test("one replica leads and owns all clusters; it ends when it is stopped, with no Lease left", async (t) => {
  const fixture = await opened(t);
  const events: string[] = [];
  const a = new Replica(fixture, "a", controllersOf(events, "a"));
  assert.equal(a.monitor.readiness().well, false);
  await fixture.advance(3000);
  assert.deepEqual(events, ["a begins summaries", "a begins profiles"]);
  assert.deepEqual([a.owned, a.isLeader], [4, true]);
  assert.deepEqual(a.monitor.readiness(), { well: true });
  assert.deepEqual(await leases(fixture), ["sluice-leader", "sluice.a.1"]);
  a.stop.abort();
  await fixture.advance(400);
  assert.equal((await leases(fixture)).length, 2, "a controller that is still running keeps its Leases");
  await fixture.advance(200);
  assert.equal(await fixture.until(a.ended), "well");
  assert.deepEqual(await leases(fixture), []);
});

test("a second replica takes its share, and everything when the first one stops", async (t) => {
  const fixture = await opened(t);
  const events: string[] = [];
  const a = new Replica(fixture, "a", controllersOf(events, "a"));
  await fixture.advance(3000);
  const b = new Replica(fixture, "b", controllersOf(events, "b"));
  await fixture.advance(3000);
  assert.equal(a.owned + b.owned, 4);
  assert.deepEqual([a.isLeader, b.isLeader], [true, false]);
  assert.deepEqual(b.monitor.readiness(), { well: true });
  a.stop.abort();
  await fixture.until(a.ended);
  await fixture.advance(500);
  assert.deepEqual([b.owned, b.isLeader], [4, true]);
  assert.ok(events.indexOf("a ends profiles") < events.indexOf("b begins profiles"));
  b.stop.abort();
  await fixture.until(b.ended);
});

test("a replica that is cut off stops before another one leads, and waits for leadership again", async (t) => {
  const fixture = await opened(t);
  const events: string[] = [];
  const [a, b] = [new Replica(fixture, "a", controllersOf(events, "a")), new Replica(fixture, "b", controllersOf(events, "b"))];
  await fixture.advance(5000);
  const [leader, other] = a.isLeader ? [a, b] : [b, a];
  const [first, second] = a.isLeader ? ["a", "b"] : ["b", "a"];
  leader.isCut = true;
  await fixture.advance(leaseDurationMs + 5000);
  assert.deepEqual([leader.isLeader, other.isLeader, other.owned], [false, true, 4]);
  assert.deepEqual(leader.monitor.readiness(), { well: false, because: "the management cluster has not been reached lately" });
  assert.deepEqual([leader.monitor.liveness(), other.monitor.readiness()], [{ well: true }, { well: true }]);
  assert.ok(events.indexOf(`${first} ends profiles`) >= 0);
  assert.ok(events.indexOf(`${first} ends profiles`) < events.indexOf(`${second} begins profiles`));
  leader.isCut = false;
  await fixture.advance(60_000);
  assert.equal(leader.owned + other.owned, 4);
  assert.deepEqual([leader.isLeader, other.isLeader, leader.monitor.readiness().well], [false, true, true]);
  for (const { stop } of [a, b]) stop.abort();
  await fixture.until(Promise.all([a.ended, b.ended]));
});

test("a leader that has lost its Lease records no Events about what it could not finish", async (t) => {
  const fixture = await opened(t);
  const about = (await fixture.list({ group: "", version: "v1", kind: "Namespace" }))[0]!;
  const profiles: RunController = async ({ telemetry }, signal) => {
    telemetry.recordEvent(about, { type: "Warning", reason: "Failed", message: "while it leads" });
    await aborted(signal);
    telemetry.recordEvent(about, { type: "Warning", reason: "Failed", message: String(signal.reason) });
  };
  const a = new Replica(fixture, "a", { everyReplica: {}, leaderOnly: { profiles } });
  await fixture.advance(3000);
  const lease = (await fixture.list(leaseKind)).find(({ metadata }) => metadata.name === "sluice-leader")!;
  await fixture.until(fixture.hub.replace({ ...lease, spec: { ...fieldsAt(lease, "spec"), holderIdentity: "b" } }));
  await fixture.advance(10_000);
  assert.equal(a.isLeader, false);
  const events = (await fixture.list({ group: "", version: "v1", kind: "Event" })).filter(({ type }) => type === "Warning");
  assert.deepEqual(
    events.map(({ message }) => message),
    ["while it leads"],
  );
  a.stop.abort();
  await fixture.until(a.ended);
});

const failing: RunController = ({ hub }) => sleep(hub.clock, 5000).then(() => Promise.reject(new Fault("list eventtriggers", "forbidden")));

test("a leader that was suspended writes nothing to the management cluster any more", async (t) => {
  const fixture = await opened(t);
  const hubs: Cluster[] = [];
  const write: RunController = async ({ hub }, signal) => {
    hubs.push(hub);
    await aborted(signal);
  };
  const a = new Replica(fixture, "a", { everyReplica: {}, leaderOnly: { profiles: write } });
  await fixture.advance(3000);
  const [hub] = hubs;
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
  await fixture.clock.until(hub!.create(object));
  a.suspendedMs = 40_000;
  await assert.rejects(hub!.create({ ...object, metadata: { ...object.metadata, name: "b" } }), /it could not be renewed for 12 s/);
  a.stop.abort();
  await fixture.clock.until(a.ended);
});

test("a controller that fails for good ends the process with its error, after the others have stopped", async (t) => {
  const fixture = await opened(t);
  const events: string[] = [];
  const { everyReplica, leaderOnly } = controllersOf(events, "a");
  const a = new Replica(fixture, "a", { everyReplica, leaderOnly: { ...leaderOnly, triggers: failing } });
  const ended = await fixture.until(a.ended);
  assert.ok(ended instanceof Fault);
  assert.equal(ended.message, "leader: triggers: list eventtriggers: forbidden");
  assert.deepEqual(events, ["a begins summaries", "a begins profiles", "a ends profiles", "a ends summaries"]);
  assert.deepEqual(await leases(fixture), []);
});

test("a runnable that ends early is a failure", async () => {
  const never = new AbortController().signal;
  await assert.rejects(runGroup({ one: aborted, two: async () => {} }, never), { message: "two: it has ended by itself" });
});

test("missing CRDs are an error that names them, or installed when that is allowed", async (t) => {
  const fixture = await opened(t);
  const definition = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", namespace: "" };
  await fixture.until(fixture.hub.delete({ ...definition, name: "clustersets.lib.projectsveltos.io" }));
  await fixture.advance(1000);
  const hub = connect((request) => fixture.hub.raw(request), { clock: fixture.clock });
  const monitor = new Monitor({ clock: fixture.clock, write: () => {} });
  const { environment } = fixture.context;
  const options = { hub, namespace: "projectsveltos", identity: "a", open: inProcessOpener(() => undefined), environment, monitor };
  await assert.rejects(
    fixture.until(runControllers(options, fixture.signal)),
    /has no clustersets\.lib\.projectsveltos\.io: .*--install-definitions/,
  );
  const stop = new AbortController();
  const running = runControllers({ ...options, installCrds: true }, stop.signal, controllersOf([], "a"));
  await fixture.advance(3000);
  assert.ok(await fixture.get({ ...definition, name: "clustersets.lib.projectsveltos.io" }));
  stop.abort();
  await fixture.until(running);
});

const deployment = (replicas: number) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: event-manager, namespace: projectsveltos}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: x}}
  template:
    metadata: {labels: {app: x}}
    spec: {containers: [{name: manager, image: event-manager}]}`;

test("beside running Sveltos controllers it refuses to run, unless an option allows it", async (t) => {
  const fixture = await opened(t);
  await fixture.apply(deployment(1));
  await fixture.advance(60_000);
  const { environment, hub } = fixture.context;
  const monitor = new Monitor({ clock: fixture.clock, write: () => {} });
  const options = { hub, namespace: "projectsveltos", identity: "a", open: inProcessOpener(() => undefined), environment, monitor };
  const controllers = controllersOf([], "a");
  await assert.rejects(fixture.until(runControllers(options, fixture.signal, controllers)), {
    message: /deployment projectsveltos\/event-manager.*scale deployment event-manager --replicas=0.*--beside-sveltos/,
  });
  const stop = new AbortController();
  const beside = runControllers({ ...options, besideSveltos: true }, stop.signal, controllers);
  await fixture.advance(3000);
  assert.deepEqual(monitor.readiness(), { well: true });
  stop.abort();
  await fixture.until(beside);
  await fixture.apply(deployment(0));
  await fixture.advance(60_000);
  const again = new AbortController();
  const running = runControllers(options, again.signal, controllers);
  await fixture.advance(3000);
  again.abort();
  await fixture.until(running);
});

test("it does not start without the right to look for Sveltos, or without a namespace for Leases", async (t) => {
  const fixture = await opened(t);
  const monitor = new Monitor({ clock: fixture.clock, write: () => {} });
  const { environment } = fixture.context;
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", message: "not today", code: 403 };
  const refusing: Parameters<typeof connect>[0] = async (request) =>
    request.path.includes("/deployments/")
      ? { status: 403, headers: { "content-type": "application/json" }, body: [JSON.stringify(status)] }
      : fixture.hub.raw(request);
  const hub = connect(refusing, { clock: fixture.clock });
  const options = { hub, namespace: "nowhere", identity: "a", open: inProcessOpener(() => undefined), environment, monitor };
  await assert.rejects(
    fixture.until(runControllers(options, fixture.signal, controllersOf([], "a"))),
    /see whether Sveltos runs here .*--beside-sveltos.*not today/,
  );
  const beside = runControllers({ ...options, besideSveltos: true }, fixture.signal, controllersOf([], "a"));
  await assert.rejects(fixture.until(beside), /leader: take the lease of the management cluster: .*namespaces "nowhere" not found/);
});
