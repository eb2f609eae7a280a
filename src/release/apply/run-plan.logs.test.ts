import assert from "node:assert/strict";
import { test } from "node:test";
import {
  workloadHook,
  workloadItem,
  startPlanCluster,
  runAndLog,
  tracked,
  type PlanCluster,
  type RunLog,
} from "../../../test/support/run-log.ts";
import { planned } from "../../../test/support/plan/plan-notation.ts";
import { sleep } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { fieldsAt } from "../../core/object/index.ts";
import type { LogFilter, Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { runPlan, type RunPlanOptions } from "./run-plan.ts";

const every = (count: number, stepMs: number) =>
  Array.from({ length: count }, (_, n) => ({ after: `${n * stepMs}ms`, line: `line ${n + 1}` }));
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`);

const behaviour = [
  { match: { image: "short:*" }, run: "0s", logs: ["one", "one", "two"] },
  { match: { image: "long:*" }, run: "10s", logs: [...every(5, 2000), { after: "10s", line: "the end" }] },
  { match: { image: "dense:*" }, run: "4s", logs: every(40, 100) },
  { match: { image: "bad:*" }, run: "1s", result: { exitCode: 3 }, logs: ["trying", { after: "1s", line: "panic: no database" }] },
  {
    match: { image: "crash:*" },
    ready: { after: "3s" },
    fail: { exitCode: 1, at: "2s", times: 2 },
    logs: ["begin", { after: "1s", line: "almost" }],
  },
  { match: { image: "slow:*" }, ready: { after: "5s" }, logs: every(100, 1000) },
  { match: { image: "flood:*" }, run: "2s", logs: Array.from({ length: 20_000 }, (_, n) => ({ after: "1s", line: `line ${n + 1}` })) },
  { match: { image: "wide:*" }, logs: ["x".repeat(5_000)] },
  { match: { image: "talk:*" }, logs: ["the password is correct-horse, in base64 Y29ycmVjdC1ob3JzZQ==", "port 5432"] },
];

/** The lines of the containers, in the order in which they were reported. */
function logsIn({ events }: RunLog): readonly string[] {
  return events.flatMap((event) => {
    if (event.type !== "log") return [];
    if ("line" in event) return [event.line];
    return ["skipped" in event ? `${event.skipped} skipped` : `note: ${event.because}`];
  });
}

const preHook = (image: string, constraints: Parameters<typeof workloadHook>[3] = {}) =>
  workloadHook("Job", "j", { install: ["pre"] }, constraints, image);

async function run(
  desired: readonly Ordered<DesiredManifest>[],
  { logs = "jobs", ...options }: Partial<RunPlanOptions> = {},
  at?: PlanCluster,
): Promise<RunLog> {
  return runAndLog(at ?? (await startPlanCluster(behaviour)), { desired }, { logs, ...options });
}

/** An object with another pod spec. */
function withPodSpec(one: Ordered<DesiredManifest>, podSpec: object, spec: object = {}): Ordered<DesiredManifest> {
  const template = { ...fieldsAt(one.item.object, "spec.template"), spec: podSpec };
  return {
    ...one,
    item: { ...one.item, object: { ...one.item.object, spec: { ...fieldsAt(one.item.object, "spec"), ...spec, template } } },
  };
}

test("the lines of a hook are reported while it runs, and all of them before its end", async () => {
  const log = await run([preHook("long:1")]);
  assert.deepEqual(logsIn(log), [...numbered(5), "the end"]);
  const [first, last] = [log.at.get("log c: line 1")!, log.at.get("log c: line 5")!];
  assert.ok(last - first >= 7, `line 1 after ${first} s, line 5 after ${last} s`);
  assert.ok(log.lines.indexOf("log c: the end") < log.lines.findIndex((line) => line.startsWith("finished await job/j")));
});

test("a pod that ends at once has its whole log reported once, equal lines included", async () => {
  assert.deepEqual(logsIn(await run([preHook("short:1")])), ["one", "one", "two"]);
});

test("a hook that is deleted when it has succeeded has its log read before", async () => {
  const log = await run([preHook("short:1", { deletePolicies: ["succeeded"] })]);
  assert.deepEqual(logsIn(log), ["one", "one", "two"]);
  assert.ok(log.lines.indexOf("log c: two") < log.lines.indexOf("started delete job/j"));
});

test("so has a Job that fails and is deleted", async () => {
  const log = await run([preHook("bad:1", { deletePolicies: ["failed"] })]);
  assert.deepEqual(logsIn(log), ["trying", "panic: no database"]);
});

test("init containers are followed, too, and each pod of a Job that is tried again", async () => {
  const containers = [{ name: "c", image: "bad:1" }];
  const podSpec = { restartPolicy: "Never", initContainers: [{ name: "init", image: "short:1" }], containers };
  const log = await run([withPodSpec(preHook("bad:1"), podSpec, { backoffLimit: 1 })]);
  const attempt = ["log init: one", "log init: one", "log init: two", "log c: trying", "log c: panic: no database"];
  assert.deepEqual(
    log.lines.filter((line) => line.startsWith("log ")),
    [...attempt, ...attempt],
  );
});

test("a container that is started again is followed through its runs", async () => {
  const log = await run([workloadItem("Deployment", "web", tracked({ failuresAllowedPerReplica: 5 }), "crash:1")], { logs: "workloads" });
  assert.deepEqual(logsIn(log), ["begin", "almost", "begin", "almost", "begin", "almost"]);
});

test("workloads are followed on demand only, and until they are ready", async () => {
  const web = [workloadItem("Deployment", "web", {}, "slow:1")];
  assert.deepEqual(logsIn(await run(web)), []);
  assert.deepEqual(logsIn(await run(web, { logs: "workloads" })), numbered(6));
  assert.deepEqual(logsIn(await run([preHook("short:1")], { logs: "none" })), []);
});

/** Sends nothing on the streams that a request opens. */
function stalled(streams: RegExp): (exchange: Exchange) => Exchange {
  return (exchange) => async (request) => {
    const answer = await exchange(request);
    if (!streams.test(request.path)) return answer;
    async function* silence() {
      yield* [];
      await new Promise((resolve) => request.signal.addEventListener("abort", resolve, { once: true }));
    }
    return { ...answer, body: silence() };
  };
}

const lateStreams: readonly (readonly [string, RegExp])[] = [
  ["the stream of its log", /\/log\?.*follow=true/],
  ["the watch of its pods", /\/pods\?.*watch=true/],
];

for (const [what, stream] of lateStreams) {
  test(`what a workload has written when it is ready is shown, though ${what} is late`, async () => {
    const at = await startPlanCluster(behaviour, stalled(stream));
    const log = await run([workloadItem("Deployment", "web", {}, "slow:1")], { logs: "workloads" }, at);
    assert.deepEqual(logsIn(log), numbered(6));
    assert.ok(log.lines.indexOf("log c: line 6") < log.lines.findIndex((line) => line.startsWith("finished await deployment/web")));
  });
}

test("of a workload that runs already only what it writes from now on is shown, and of its current pods", async () => {
  const at = await startPlanCluster(behaviour);
  await run([workloadItem("Deployment", "web", {}, "slow:1")], {}, at);
  await at.clock.advance(300_000);
  const log = await run([workloadItem("Deployment", "web", {}, "slow:2")], { logs: "workloads" }, at);
  assert.deepEqual(logsIn(log), numbered(6));
});

const filters: readonly (readonly [string, Partial<LogFilter>, readonly string[]])[] = [
  ["skip-logs", { skip: true }, []],
  ["skip-logs-for-containers", { skipContainers: ["c"] }, []],
  ["show-logs-only-for-containers", { onlyContainers: ["other"] }, []],
  ["show-logs-only-for-number-of-replicas 0", { replicas: 0 }, []],
  ["log-regex", { keep: [{ pattern: "^(line 2|the)" }] }, ["line 2", "the end"]],
  ["log-regex-skip", { drop: [{ pattern: "^line" }] }, ["the end"]],
  ["log-regex-for-another", { keep: [{ pattern: "nothing", container: "other" }] }, [...numbered(5), "the end"]],
];

for (const [what, filter, expected] of filters) {
  test(`werf.io/${what} says what of a log is shown`, async () => {
    const plain = workloadItem("ConfigMap", "x").constraints.tracking.logs;
    assert.deepEqual(logsIn(await run([preHook("long:1", tracked({ logs: { ...plain, ...filter } }))])), expected);
  });
}

test("of a workload the logs of one replica are shown, or of as many as an annotation says", async () => {
  const podSpec = { containers: [{ name: "c", image: "slow:1" }] };
  const pods = async (replicas: number) => {
    const plain = workloadItem("ConfigMap", "x").constraints.tracking.logs;
    const item = workloadItem("Deployment", "web", tracked({ logs: { ...plain, replicas } }), "slow:1");
    const { events } = await run([withPodSpec(item, podSpec, { replicas: 3 })], { logs: "workloads" });
    return new Set(events.flatMap((event) => (event.type === "log" ? [event.pod] : []))).size;
  };
  assert.deepEqual([await pods(1), await pods(2)], [1, 2]);
});

/** Ends or breaks every stream of a log after its first chunks. */
function interrupted(how: "end" | "break"): (exchange: Exchange) => Exchange {
  return (exchange) => async (request) => {
    const answer = await exchange(request);
    if (!/\/log\?.*follow=true/.test(request.path)) return answer;
    async function* part() {
      let chunks = 0;
      for await (const chunk of answer.body) {
        if (++chunks > 4) break;
        // In the middle of a line that is sent again.
        yield chunks === 4 ? chunk.slice(0, 45) : chunk;
      }
      if (how === "break") throw new Error("socket hang up");
    }
    return { ...answer, body: part() };
  };
}

test("a stream that breaks is taken up where it was: no line is lost and none comes twice", async () => {
  const at = await startPlanCluster(behaviour, interrupted("break"));
  assert.deepEqual(logsIn(await run([preHook("dense:1")], {}, at)), numbered(40));
});

test("a stream that ends before its container leaves the rest to be read when that has ended", async () => {
  const at = await startPlanCluster(behaviour, interrupted("end"));
  assert.deepEqual(logsIn(await run([preHook("dense:1")], {}, at)), numbered(40));
});

function refusing(status: number, message: string, seen: string[]): (exchange: Exchange) => Exchange {
  const body = [JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: status, message })];
  return (exchange) => async (request) => {
    if (!/\/log\?/.test(request.path)) return exchange(request);
    seen.push(request.path);
    return { status, headers: { "content-type": "application/json" }, body };
  };
}

test("who may not read logs is told so once, and the run goes on without them", async () => {
  const seen: string[] = [];
  const at = await startPlanCluster(behaviour, refusing(403, 'pods "j" is forbidden: no pods/log for you', seen));
  const hooks = ["a", "b"].map((name) => workloadHook("Job", name, { install: ["pre"] }, {}, "long:1"));
  const log = await run(hooks, {}, at);
  assert.equal(log.lines.at(-1), "done deployed");
  assert.equal(logsIn(log).length, 1);
  assert.match(
    logsIn(log)[0]!,
    /^note: read the log of pod shop\/[ab]-\S+, container c: .*forbidden.*: no logs of namespace shop are shown/,
  );
  assert.ok(seen.length <= 2, seen.join("\n"));
});

test("a log that cannot be read is tried again a few times, said, and given up", async () => {
  const seen: string[] = [];
  const at = await startPlanCluster(behaviour, refusing(500, "dial tcp 10.0.0.1:10250: connection refused", seen));
  const log = await run([workloadHook("Job", "a", { install: ["pre"] }, {}, "long:1")], {}, at);
  assert.equal(log.lines.at(-1), "done deployed");
  assert.equal(logsIn(log).length, 1);
  assert.match(logsIn(log)[0]!, /connection refused/);
  assert.ok(seen.length <= 7, `${seen.length} requests`);
});

test("more lines than are taken are skipped and counted, and the last ones stay", async () => {
  const { cluster, clock } = await startPlanCluster(behaviour);
  const log: RunLog = { lines: [], at: new Map(), events: [] };
  const start = clock.now();
  let lastStepAt = start;
  const onProgress = () => void (lastStepAt = clock.now());
  const reading = (async () => {
    const plan = planned({ desired: [preHook("flood:1")] });
    for await (const event of runPlan(plan, { cluster, onProgress }, { signal: new AbortController().signal, logs: "jobs" })) {
      log.events.push(event);
      if (event.type === "log" && log.events.at(-2)?.type !== "log") await sleep(clock, 60_000);
    }
  })();
  await clock.until(reading);
  assert.ok(lastStepAt - start < 10_000, "the run did not wait for the reader");
  assert.equal(log.events.at(-1)?.type, "done");
  const lines = logsIn(log).slice(1);
  assert.match(lines[0]!, /^\d+ skipped$/);
  assert.equal(lines.length + Number.parseInt(lines[0]!), 20_000);
  assert.ok(lines.length <= 5_001, `${lines.length} lines`);
  assert.match(lines.at(-1)!, /^line 20000$/);
});

test("a line that is too long is cut, with how much that was", async () => {
  const [line = ""] = logsIn(await run([preHook("wide:1")]));
  assert.match(line, /^x+… \(935 more bytes\)$/);
});

test("the values of the release's Secrets are hidden, in a failure's last lines, too; short ones are not", async () => {
  const secret = workloadItem("Secret", "s");
  const object = { ...secret.item.object, stringData: { password: "correct-horse", port: "5432" } };
  const log = await run([{ ...secret, item: { object } }, preHook("talk:1")]);
  assert.deepEqual(logsIn(log), ["the password is (hidden), in base64 (hidden)", "port 5432"]);
});

test("an interruption ends all streams at once", async () => {
  const open = new Set<string>();
  const at = await startPlanCluster(behaviour, (exchange) => async (request) => {
    const answer = await exchange(request);
    if (!/\/log\?.*follow=true/.test(request.path)) return answer;
    open.add(request.path);
    request.signal.addEventListener("abort", () => open.delete(request.path), { once: true });
    return answer;
  });
  const stop = new AbortController();
  at.clock.after(6_000, () => {
    assert.equal(open.size, 1);
    stop.abort();
  });
  const start = at.clock.now();
  const log = await run([preHook("long:1")], { signal: stop.signal }, at);
  assert.equal(log.lines.at(-1), "done stopped");
  assert.deepEqual([at.clock.now() - start, open.size], [6_000, 0]);
});

test("a bounded number of logs is followed at once; the others are read in their turn", async () => {
  let [open, most] = [0, 0];
  const at = await startPlanCluster(behaviour, (exchange) => async (request) => {
    const answer = await exchange(request);
    if (!/\/log\?.*follow=true/.test(request.path)) return answer;
    async function* counted() {
      most = Math.max(most, ++open);
      try {
        yield* answer.body;
      } finally {
        open--;
      }
    }
    return { ...answer, body: counted() };
  });
  const jobs = Array.from({ length: 30 }, (_, n) => workloadItem("Job", `j${n}`, {}, "long:1"));
  const log = await run(jobs, {}, at);
  assert.equal(most, 20);
  const lines = logsIn(log);
  assert.equal(lines.filter((line) => line === "the end").length, 30);
  assert.equal(lines.filter((line) => !line.startsWith("note")).length, 30 * 6);
  assert.equal(lines.filter((line) => line.startsWith("note: 20 logs are followed at once")).length, 1);
});

test("when the logs of many containers cannot be read to their end in time, that is said once", async () => {
  const at = await startPlanCluster(behaviour, stalled(/\/log\?/));
  const containers = ["a", "b", "c"].map((name) => ({ name, image: "short:1" }));
  const start = at.clock.now();
  const log = await run([withPodSpec(preHook("short:1"), { restartPolicy: "Never", containers })], {}, at);
  assert.equal(log.lines.at(-1), "done deployed");
  assert.deepEqual(logsIn(log), ["note: the rest of its log was not read in time, nor those of 2 other containers"]);
  assert.ok(at.clock.now() - start < 10_000);
});

const eventsIn = ({ lines }: RunLog) => lines.filter((line) => line.startsWith("event "));

test("werf.io/show-service-messages reports Events about an object and its pods while it is waited for, each once", async () => {
  const at = await startPlanCluster(behaviour);
  const plain = workloadItem("ConfigMap", "x").constraints.tracking.logs;
  const web = (image: string) => workloadItem("Deployment", "web", tracked({ logs: { ...plain, events: true } }), image);
  const first = eventsIn(await run([web("slow:1")], {}, at));
  assert.match(first.join("\n"), /^event ScalingReplicaSet: Scaled up replica set web-\w+ from 0 to 1$/m);
  assert.match(first.join("\n"), /^event pod web-\S+: Pulled: /m);
  assert.equal(new Set(first).size, first.length);
  await at.clock.advance(60_000);
  const second = eventsIn(await run([web("slow:2")], {}, at));
  assert.match(second.join("\n"), /^event pod web-\S+: Pulled: .*slow:2/m);
  assert.deepEqual(
    second.filter((line) => first.includes(line)),
    [],
  );
  assert.deepEqual(eventsIn(await run([workloadItem("Deployment", "other", {}, "slow:1")], {}, at)), []);
});
