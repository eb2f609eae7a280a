import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { KubeObject } from "../../core/object/index.ts";
import { item as anyItem, need } from "../../../test/support/plan/plan-notation.ts";
import { endsIn, findObject, workloadHook, workloadItem, startPlanCluster, runAndLog, tracked } from "../../../test/support/run-log.ts";

const crash = [{ match: { image: "bad:*" }, fail: { exitCode: 3, at: "1s" } }];

test("a rank starts when the one before is ready, and in the same moment", async () => {
  const log = await runAndLog(await startPlanCluster(), {
    desired: [
      workloadItem("StatefulSet", "db", { rank: -1 }),
      workloadItem("Job", "migrate", { gates: [{ until: "completed" }] }),
      workloadItem("Deployment", "web", { rank: 1 }),
    ],
  });
  assert.deepEqual(endsIn(log), [
    "finished apply statefulset/db",
    "finished await statefulset/db",
    "finished apply job/migrate",
    "finished await job/migrate",
    "finished apply deployment/web",
    "finished await deployment/web",
    "done deployed",
  ]);
  assert.equal(log.at.get("started apply job/migrate"), log.at.get("finished await statefulset/db"));
  assert.equal(log.at.get("started apply deployment/web"), log.at.get("finished await job/migrate"));
});

test("a failure skips what depends on it, the rest of its rank finishes", async () => {
  const log = await runAndLog(await startPlanCluster(), {
    desired: [
      workloadItem("Deployment", "bad", {}, "registry.invalid/x:1"),
      workloadItem("Deployment", "good"),
      workloadItem("Deployment", "next", { rank: 1 }),
      workloadItem("Deployment", "friend", { unranked: true, needs: [need("Deployment", "good")] }),
    ],
  });
  assert.deepEqual(endsIn(log), [
    "finished apply deployment/bad",
    "finished apply deployment/good",
    "failed await deployment/bad",
    "finished await deployment/good",
    "skipped apply deployment/next",
    "skipped await deployment/next",
    "finished apply deployment/friend",
    "finished await deployment/friend",
    log.lines.at(-1),
  ]);
  assert.match(log.lines.at(-1)!, /^done failed: deployment\/bad: .*(ErrImagePull|ImagePullBackOff)/);
  assert.equal(
    log.lines.find((line) => line.startsWith("skipped apply")),
    "skipped apply deployment/next: deployment/bad failed",
  );
});

test("what is outside is waited for, however late it and its kind come", async () => {
  const at = await startPlanCluster();
  const outside = need("", "w", { external: true, target: { resource: "widgets.example.com", name: "w" } });
  const running = runAndLog(at, { desired: [workloadItem("ConfigMap", "c", { needs: [outside] }), workloadItem("ConfigMap", "d")] });
  at.clock.after(60_000, () => void at.cluster.apply(widgets));
  at.clock.after(120_000, () => void at.cluster.apply(widget));
  at.clock.after(
    180_000,
    () => void at.cluster.apply({ ...widget, status: { conditions: [{ type: "Ready", status: "True" }] } }, { subresource: "status" }),
  );
  const log = await running;
  assert.equal(log.at.get("waiting await widgets/w: the cluster does not serve widgets.example.com yet"), 0);
  assert.equal(Math.floor(log.at.get("waiting await widgets/w: it does not exist")!), 60);
  // It exists at 120; without a status it counts as ready after half a minute.
  assert.equal(Math.floor(log.at.get("started apply configmap/c")!), 150);
  assert.equal(log.at.get("started apply configmap/d"), log.at.get("started apply configmap/c"));
});

test("an external object that reports progress is waited for until it is ready", async () => {
  const at = await startPlanCluster();
  await at.cluster.apply(widgets);
  await at.clock.advance(1000);
  const said = (status: string) =>
    at.cluster.apply(
      { ...widget, status: { conditions: [{ type: "Ready", status, reason: "R", message: "" }] } },
      { subresource: "status" },
    );
  await at.cluster.apply(widget);
  await said("False");
  const outside = need("Widget", "w", {
    external: true,
    target: { group: "example.com", version: "v1", kind: "Widget", name: "w", namespace: "shop" },
  });
  at.clock.after(45_000, () => void said("True"));
  const log = await runAndLog(at, { desired: [workloadItem("ConfigMap", "c", { needs: [outside] })] });
  assert.equal(log.at.get("started apply configmap/c"), 45);
});

test("properties must all hold at the same moment", async () => {
  const at = await startPlanCluster();
  const properties = [
    { path: ".data.a", value: "1" },
    { path: ".metadata.annotations.x", value: "" },
  ];
  const gated = workloadItem("ConfigMap", "c", { gates: [{ until: "properties", properties }], barrier: true });
  at.clock.after(10_000, () => void at.cluster.patch(gated.ref, { type: "merge", patch: { data: { a: "1" } } }));
  const log = await runAndLog(at, { desired: [gated, workloadItem("ConfigMap", "d")] });
  assert.equal(log.at.get("waiting await configmap/c: .data.a is empty, not 1"), 0);
  assert.equal(log.at.get("started apply configmap/d"), 10);
});

test("a rule decides when its object is ready", async () => {
  const at = await startPlanCluster();
  const ruled = workloadItem("ConfigMap", "c", { health: 'has(self.data) && self.data.phase == "done"' });
  at.clock.after(7_000, () => void at.cluster.patch(ruled.ref, { type: "merge", patch: { data: { phase: "done" } } }));
  const log = await runAndLog(at, { desired: [ruled] });
  assert.equal(log.at.get("finished await configmap/c"), 7);
});

test("hooks run one at a time, before and after, and are deleted by their policies", async () => {
  const at = await startPlanCluster();
  const log = await runAndLog(at, {
    desired: [
      workloadHook("Job", "second", { install: ["pre"] }, { deletePolicies: ["before-creation", "succeeded"], rank: 1 }),
      workloadHook("ServiceAccount", "first", { install: ["pre"] }, { deletePolicies: ["succeeded"] }),
      workloadItem("ConfigMap", "c"),
      workloadHook("Job", "after", { install: ["post"] }),
    ],
  });
  assert.deepEqual(endsIn(log), [
    "finished apply serviceaccount/first",
    "finished await serviceaccount/first",
    "finished apply job/second",
    "finished await job/second",
    "finished delete job/second",
    "finished await job/second",
    "finished delete serviceaccount/first",
    "finished await serviceaccount/first",
    "finished apply configmap/c",
    "finished await configmap/c",
    "finished apply job/after",
    "finished await job/after",
    "done deployed",
  ]);
  assert.equal(await findObject(at, "Job", "second"), undefined);
  assert.notEqual(await findObject(at, "Job", "after"), undefined);
});

test("a failed hook stops what follows; those that are to go when failed go, the others stay", async () => {
  const at = await startPlanCluster(crash);
  const records: string[] = [];
  const log = await runAndLog(
    at,
    {
      release: { name: "web", namespace: "shop", revision: 1 },
      desired: [
        workloadHook("ServiceAccount", "a", { install: ["pre"] }, { deletePolicies: ["succeeded"] }),
        workloadHook("Job", "b", { install: ["pre"] }, { deletePolicies: ["failed"], rank: 1 }, "bad:1"),
        workloadHook("Job", "c", { install: ["pre"] }, { deletePolicies: ["failed"], rank: 2 }),
        workloadItem("ConfigMap", "main"),
      ],
    },
    { record: async ({ state, hook: about }) => void records.push(about === undefined ? state : `${about.ref.name} succeeded`) },
  );
  assert.deepEqual(records, ["pending-install", "a succeeded", "failed"]);
  assert.equal(await findObject(at, "Job", "b"), undefined);
  assert.equal(await findObject(at, "ServiceAccount", "a"), undefined);
  assert.equal(await findObject(at, "ConfigMap", "main"), undefined);
  assert.match(log.lines.at(-1)!, /^done failed: job\/b: BackoffLimitExceeded/);
});

test("a hook that is there is replaced right before it runs again", async () => {
  const at = await startPlanCluster();
  const input = { desired: [workloadHook("Job", "h", { install: ["pre"] })] };
  await runAndLog(at, input);
  const first = await findObject(at, "Job", "h");
  const log = await runAndLog(at, input);
  assert.deepEqual(endsIn(log), ["finished apply job/h", "finished await job/h", "done deployed"]);
  const second = await findObject(at, "Job", "h");
  assert.notEqual(second?.metadata.uid, first?.metadata.uid);
});

test("a time-out ends one wait, with its last reason", async () => {
  const at = await startPlanCluster([{ match: { name: "slow-*" }, ready: "never" }]);
  const log = await runAndLog(at, {
    desired: [workloadItem("Deployment", "slow", { timeoutMs: 20_000 }), workloadItem("Deployment", "next", { rank: 1 })],
  });
  const failed = log.lines.find((line) => line.startsWith("failed"))!;
  assert.match(failed, /^failed await deployment\/slow: not there after 20 s: 0 of 1 replicas available/);
  assert.equal(log.at.get(failed), 20);
});

test("when the run times out, waits fail and clean-up steps still run", async () => {
  const at = await startPlanCluster([{ match: { kind: "Job" }, run: "1h" }]);
  const log = await runAndLog(
    at,
    { desired: [workloadHook("Job", "h", { install: ["pre"] }, { deletePolicies: ["failed"] }), workloadItem("ConfigMap", "c")] },
    { timeoutMs: 60_000 },
  );
  assert.match(log.lines.at(-1)!, /^done failed: job\/h: the time is up after 60 s: 0 of 1 completions/);
  assert.equal(await findObject(at, "Job", "h"), undefined);
  assert.equal(await findObject(at, "ConfigMap", "c"), undefined);
});

test("an abort stops at once, reports what is left, and keeps what was done", async () => {
  const at = await startPlanCluster([{ match: {}, ready: "never" }]);
  const stop = new AbortController();
  at.clock.after(30_000, () => stop.abort());
  const log = await runAndLog(
    at,
    { desired: [workloadItem("Deployment", "web"), workloadItem("ConfigMap", "next", { rank: 1 })] },
    { signal: stop.signal },
  );
  assert.equal(log.lines.at(-1), "done stopped");
  assert.notEqual(await findObject(at, "Deployment", "web"), undefined);
  assert.equal(await findObject(at, "ConfigMap", "next"), undefined);
});

test("fail modes: ignored failures hold up nothing, hoped-for ones wait for the others first", async () => {
  const at = await startPlanCluster([{ match: { image: "late:*" }, ready: { after: "40s" } }]);
  const ignored = await runAndLog(at, {
    desired: [
      workloadItem("Deployment", "a", tracked({ failMode: "ignore" }), "registry.invalid/a:1"),
      workloadItem("ConfigMap", "b", { rank: 1 }),
    ],
  });
  assert.equal(ignored.lines.at(-1), "done deployed");
  assert.match(
    ignored.lines.find((line) => line.startsWith("finished await deployment/a"))!,
    /ignored: .*ErrImagePull/,
  );
  const hoped = await runAndLog(at, {
    desired: [
      workloadItem("Deployment", "c", tracked({ failMode: "hope" }), "registry.invalid/c:1"),
      workloadItem("Deployment", "d", {}, "late:1"),
    ],
  });
  assert.ok(hoped.at.get("finished await deployment/d")! >= 40);
  const failure = hoped.lines.find((line) => line.startsWith("failed await deployment/c"))!;
  assert.equal(hoped.at.get(failure), hoped.at.get("finished await deployment/d"));
});

test("so many failures are allowed for each replica and no more", async () => {
  const flaky = [{ match: { image: "flaky:*" }, ready: { after: "30s" }, fail: { exitCode: 1, at: "1s", times: 2 } }];
  const strict = await runAndLog(await startPlanCluster(flaky), {
    desired: [workloadItem("Deployment", "web", tracked({ failuresAllowedPerReplica: 0 }), "flaky:1")],
  });
  assert.match(strict.lines.at(-1)!, /done failed: .*1 failures, 0 allowed/);
  const cancellable = await runAndLog(await startPlanCluster(flaky), {
    desired: [workloadItem("Deployment", "web", tracked({ failuresAllowedPerReplica: 2 }), "flaky:1")],
  });
  assert.equal(cancellable.lines.at(-1), "done deployed");
});

test("deleting goes in reverse, each rank gone before the next, and names the blocking finalizer", async () => {
  const at = await startPlanCluster();
  const items = [
    workloadItem("ConfigMap", "config", { rank: -1 }),
    workloadItem("Deployment", "db"),
    workloadItem("Deployment", "web", { rank: 1 }),
  ];
  await runAndLog(at, { desired: items });
  await at.cluster.patch(items[1]!.ref, { type: "merge", patch: { metadata: { finalizers: ["example.com/hold"] } } });
  at.clock.after(60_000, () => void at.cluster.patch(items[1]!.ref, { type: "merge", patch: { metadata: { finalizers: null } } }));
  const live = new Map(items.map(({ ref }) => [`${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`, { exists: true }]));
  const log = await runAndLog(at, { operation: "delete", desired: [], previous: items, live });
  assert.deepEqual(endsIn(log), [
    "finished delete deployment/web",
    "finished await deployment/web",
    "finished delete deployment/db",
    "finished await deployment/db",
    "finished delete configmap/config",
    "finished await configmap/config",
    "done deleted",
  ]);
  assert.ok(
    log.lines.some((line) => /waiting await deployment\/db: being deleted, kept by the finalizers .*example\.com\/hold/.test(line)),
  );
  assert.equal(await findObject(at, "ConfigMap", "config"), undefined);
});

test("KOTS waits for a Service's endpoints, and for other kinds to be there", async () => {
  const at = await startPlanCluster([{ match: { kind: "Deployment" }, ready: { after: "30s" } }]);
  const kots = { gates: [{ until: "kots-ready" }], barrier: true } as const;
  const applied = { gates: [{ until: "applied" }] } as const;
  const log = await runAndLog(at, {
    desired: [
      workloadItem("Deployment", "web", { ...applied, rank: -1 }),
      workloadItem("Job", "job", { ...kots }),
      workloadItem("Service", "web", { ...kots, rank: 1 }),
      workloadItem("ConfigMap", "end", { ...applied, rank: 2 }),
    ],
  });
  assert.ok(log.at.get("started apply service/web")! < 5);
  assert.ok(log.at.get("started apply configmap/end")! >= 30);
  assert.ok(log.lines.some((line) => /waiting await service\/web: (no endpoint|1 of 1 endpoints)/.test(line)));
});

test("only so many applies go on at once, and waits are not counted", async () => {
  const at = await startPlanCluster();
  const desired = Array.from({ length: 40 }, (_, name) => workloadItem("Deployment", `d${name}`));
  const log = await runAndLog(at, { desired }, { parallel: 3 });
  assert.equal(log.lines.at(-1), "done deployed");
  assert.equal(log.lines.filter((line) => line.startsWith("finished await")).length, 40);
});

const widgets: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "shop" } };

test("CRDs come first, and their custom resources when the kind is served", async () => {
  const crd = anyItem("CustomResourceDefinition", "widgets.example.com", { stage: "crds" }, widgets);
  const one = anyItem("Widget", "w", { gates: [{ until: "applied" }] }, widget);
  const log = await runAndLog(await startPlanCluster(), { desired: [one, crd], options: { wait: "none" } });
  assert.deepEqual(endsIn(log), [
    "finished apply customresourcedefinition/widgets.example.com",
    "finished await customresourcedefinition/widgets.example.com",
    "finished apply widget/w",
    "done deployed",
  ]);
});

test("a custom resource's failure counts when it lasts", async () => {
  const at = await startPlanCluster();
  await at.cluster.apply(widgets);
  await at.clock.advance(1000);
  const said = (name: string, status: string) =>
    at.cluster.apply(
      {
        ...widget,
        metadata: { ...widget.metadata, name },
        status: { phase: status, conditions: [{ type: "Ready", status: status === "Failed" ? "False" : "True" }] },
      },
      { subresource: "status" },
    );
  at.clock.after(2_000, () => void Promise.all([said("w", "Failed"), said("v", "Failed")]));
  at.clock.after(5_000, () => void said("v", "Ready"));
  const items = ["w", "v"].map((name) => anyItem("Widget", name, {}, { ...widget, metadata: { ...widget.metadata, name } }));
  const log = await runAndLog(at, { desired: items });
  assert.equal(log.at.get("finished await widget/v"), 5);
  const failure = log.lines.find((line) => line.startsWith("failed await widget/w"))!;
  assert.equal(log.at.get(failure), 7);
});

const member = fc.record({
  rank: fc.integer({ min: 0, max: 2 }),
  ready: fc.nat(9),
  needs: fc.array(fc.nat(5), { maxLength: 2 }),
  late: fc.boolean(),
});

test("whatever the needs: no step starts before its needs have passed their gates", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(member, { minLength: 1, maxLength: 6 }), async (made) => {
      const at = await startPlanCluster(made.map(({ ready }, name) => ({ match: { name: `o${name}-*` }, ready: { after: `${ready}s` } })));
      const items = made.map(({ rank, needs, late }, name) => {
        const before = [...new Set(needs)].filter((on) => on < name).map((on) => need("Deployment", `o${on}`));
        return workloadItem("Deployment", `o${name}`, { rank: late ? 0 : rank, unranked: late, needs: late ? before : [] });
      });
      const log = await runAndLog(at, { desired: items.toSorted((a, b) => a.constraints.rank - b.constraints.rank) });
      const when = (what: string, name: string) => log.lines.indexOf(`${what} deployment/${name}`);
      for (const a of items) {
        for (const b of items) {
          const ranked = !a.constraints.unranked && !b.constraints.unranked && a.constraints.rank < b.constraints.rank;
          const needed = b.constraints.needs.some(({ target }) => target.name === a.ref.name);
          if (ranked || needed) assert.ok(when("finished await", a.ref.name) < when("started apply", b.ref.name), log.lines.join("\n"));
        }
      }
      assert.equal(log.lines.at(-1), "done deployed");
    }),
    { numRuns: 15 },
  );
});
