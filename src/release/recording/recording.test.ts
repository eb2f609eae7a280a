import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { titleOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { StepProgress, Verb } from "../index.ts";
import type { Action, Plan, Step } from "../plan/index.ts";
import { compareTimelines, RunRecording, timelineOf, type RecordedRun, type Recording, type Timeline } from "./index.ts";
import { recordedPodsOf } from "./pod-evidence.ts";
import { decodeRecording, encodeRecording } from "./recording-codec.ts";

const startMs = Date.UTC(2030, 0, 1);
const subject = { type: "release", name: "web", namespace: "default", revision: 3 } as const;

function refOf(title: string): ObjectRef {
  const [kind = "", name = ""] = title.split("/");
  return { group: "", version: "v1", kind, namespace: "default", name };
}

/** `apply Job/a`, `await Job/a` or `join`, after other steps. */
function step(id: string, ...needs: readonly string[]): Step {
  const [verb = "", title = ""] = id.split(" ");
  const ref = refOf(title);
  const action: Action = verb.startsWith("join") ? { verb: "join", what: id } : { verb: "delete", ref, propagation: "background" };
  return { id, action, stage: "main", rank: 0, needs: needs.map((need) => ({ id: need, because: `needs ${need}` })) };
}

const plan: Plan = {
  version: 1,
  operation: "upgrade",
  kept: [],
  steps: [
    step("apply Job/a"),
    step("await Job/a", "apply Job/a"),
    step("apply Pod/b"),
    step("join 1", "await Job/a", "apply Pod/b"),
    step("join 2", "join 1"),
    step("apply Service/c", "join 2"),
    step("await Service/c", "apply Service/c"),
  ],
};

type Told = readonly [atSeconds: number, type: StepProgress["type"], id: string, because?: string];

function recorded(events: readonly Told[], end: { readonly at: number; readonly status: "deployed" | "failed" } | undefined): RecordedRun {
  const run = new RunRecording(plan, startMs, { conceal: (text) => text.replaceAll("hunter22", "(hidden)") });
  for (const [at, type, id, because = ""] of events) {
    const [verb, title = ""] = id.split(" ");
    run.onProgress({ type, verb: verb as Verb, ref: refOf(title), id, because } as StepProgress, startMs + at * 1000);
  }
  if (end !== undefined) run.onProgress({ type: "done", status: end.status }, startMs + end.at * 1000);
  return run.run;
}

const story: readonly Told[] = [
  [0, "started", "apply Job/a"],
  [0, "started", "apply Pod/b"],
  [1, "finished", "apply Job/a", "created"],
  [1, "started", "await Job/a"],
  [1, "waiting", "await Job/a", "0 of 1 completions"],
  [2, "finished", "apply Pod/b", "created"],
  [9, "waiting", "await Job/a", "with password hunter22"],
  [10, "finished", "await Job/a"],
  [10, "started", "apply Service/c"],
  [11, "finished", "apply Service/c", "created"],
  [11, "started", "await Service/c"],
  [15, "finished", "await Service/c"],
];
const whole: Recording = { version: 1, subject, runs: [recorded(story, { at: 15, status: "deployed" })] };

test("a run is recorded step by step, with the need that was met last, also behind joins", () => {
  const [run] = whole.runs;
  assert.deepEqual(
    run!.steps.map(({ id, startedAtMs, endedAtMs = 0, after }) => [id, startedAtMs - startMs, endedAtMs - startMs, after?.id]),
    [
      ["apply Job/a", 0, 1000, undefined],
      ["apply Pod/b", 0, 2000, undefined],
      ["await Job/a", 1000, 10_000, "apply Job/a"],
      ["apply Service/c", 10_000, 11_000, "await Job/a"],
      ["await Service/c", 11_000, 15_000, "apply Service/c"],
    ],
  );
  assert.equal(run!.steps[3]!.after!.because, "needs join 2");
  assert.doesNotMatch(JSON.stringify(whole), /hunter22/);
});

test("a timeline has a row for each object, the critical path and the longest waits", () => {
  const { rows, criticalPath, waits, lengthMs, status } = timelineOf(whole);
  assert.deepEqual({ lengthMs, status }, { lengthMs: 15_000, status: "deployed" });
  assert.deepEqual(
    rows.map(({ ref, fromMs, toMs, outcome }) => [titleOf(ref), fromMs, toMs, outcome]),
    [
      ["pod/b", 0, 2000, "finished"],
      ["job/a", 0, 10_000, "finished"],
      ["service/c", 10_000, 15_000, "finished"],
    ],
  );
  assert.deepEqual(
    criticalPath.map(({ ref, fromMs, toMs, because }) => [titleOf(ref), fromMs, toMs, because]),
    [
      ["job/a", 0, 10_000, "0 of 1 completions"],
      ["service/c", 10_000, 15_000, undefined],
    ],
  );
  assert.deepEqual(
    waits.map(({ because, fromMs, toMs }) => [because, fromMs, toMs]),
    [
      ["0 of 1 completions", 1000, 9000],
      ["with password (hidden)", 9000, 10_000],
    ],
  );
});

test("the path to a failure ends with what has failed, and a killed run leaves what it was at", () => {
  const failed = recorded(
    [...story.slice(0, 7), [10, "failed", "await Job/a", "exit code 3"], [10, "skipped", "apply Service/c", "job/a failed"]],
    {
      at: 10,
      status: "failed",
    },
  );
  const { criticalPath, rows } = timelineOf({ ...whole, runs: [failed] });
  assert.deepEqual(
    criticalPath.map(({ ref, because }) => [titleOf(ref), because]),
    [["job/a", "exit code 3"]],
  );
  assert.deepEqual(
    rows.map(({ outcome, because }) => [outcome, because]),
    [
      ["finished", undefined],
      ["failed", "exit code 3"],
      ["skipped", "job/a failed"],
    ],
  );
  const killed = timelineOf({ ...whole, runs: [recorded(story.slice(0, 7), undefined)] });
  assert.equal(killed.status, "unfinished");
  assert.deepEqual(
    killed.rows.map(({ outcome, toMs }) => [outcome, toMs]),
    [
      ["finished", 2000],
      ["interrupted", 9000],
    ],
  );
});

test("a wait behind the end of its step is another span, also in recordings that have it in the step", () => {
  const told = recorded(
    [...story, [20, "waiting", "await Job/a", "it was deleted; it is created again"], [24, "finished", "await Job/a"]],
    { at: 25, status: "deployed" },
  );
  const steps = whole.runs[0]!.steps.map((each) => {
    const late = { atMs: startMs + 20_000, because: "it was deleted; it is created again" };
    return each.id === "await Job/a" ? { ...each, waits: [...each.waits, late] } : each;
  });
  const old: RecordedRun = { ...whole.runs[0]!, steps, seenAtMs: startMs + 25_000 };
  for (const [run, end] of [
    [told, 24_000],
    [old, 25_000],
  ] as const) {
    const { rows, waits } = timelineOf({ ...whole, runs: [run] });
    assert.deepEqual(rows.find(({ ref }) => titleOf(ref) === "job/a")?.spans, [
      { phase: "apply", fromMs: 0, toMs: 1000 },
      { phase: "wait", fromMs: 1000, toMs: 10_000 },
      { phase: "wait", fromMs: 20_000, toMs: end },
    ]);
    assert.deepEqual(
      waits.map(({ fromMs, toMs }) => [fromMs, toMs]),
      [
        [1000, 9000],
        [20_000, end],
        [9000, 10_000],
      ],
    );
  }
});

test("clocks that went back make no time less than none", () => {
  const [first] = whole.runs;
  const earlier = recorded(
    [
      [-20, "started", "apply Job/a"],
      [-30, "finished", "apply Job/a"],
    ],
    undefined,
  );
  const { lengthMs, rows, runs } = timelineOf({
    ...whole,
    runs: [first!, { ...earlier, startedAtMs: startMs - 20_000, seenAtMs: startMs - 25_000 }],
  });
  const spans = [{ fromMs: 0, toMs: lengthMs }, ...runs, ...rows, ...rows.flatMap((row) => row.spans)];
  for (const { fromMs, toMs } of spans) assert.ok(fromMs >= 0 && fromMs <= toMs, `${fromMs} to ${toMs}`);
});

test("what a killed run did not record is done when the next one leaves it alone, or the release's record says so", () => {
  const killed = recorded(story.slice(0, 5), undefined);
  const outcomes = (runs: readonly RecordedRun[], options?: Parameters<typeof timelineOf>[1]) =>
    timelineOf({ ...whole, runs }, options).rows.map(({ ref, outcome, foundDone }) => [titleOf(ref), outcome, foundDone ?? false]);
  const carriedOn: readonly Told[] = [
    [20, "started", "await Job/a"],
    [25, "finished", "await Job/a"],
  ];
  assert.deepEqual(outcomes([killed, recorded(carriedOn, { at: 25, status: "deployed" })]), [
    ["pod/b", "finished", true],
    ["job/a", "finished", false],
  ]);
  assert.deepEqual(outcomes([killed, recorded(carriedOn, undefined)]), [
    ["pod/b", "interrupted", false],
    ["job/a", "finished", false],
  ]);
  assert.deepEqual(outcomes([killed], { endInRecord: "deployed" }), [
    ["job/a", "finished", true],
    ["pod/b", "finished", true],
  ]);
  assert.deepEqual(outcomes([killed], { endInRecord: "failed" }), [
    ["job/a", "interrupted", false],
    ["pod/b", "interrupted", false],
  ]);
  const { status, endUnrecorded } = timelineOf({ ...whole, runs: [killed] }, { endInRecord: "deployed" });
  assert.deepEqual([status, endUnrecorded], ["deployed", true]);
});

function pathOf(...runs: readonly RecordedRun[]): readonly (readonly unknown[])[] {
  return timelineOf({ ...whole, runs }).criticalPath.map(({ ref, fromMs, toMs, after }) => [titleOf(ref), fromMs, toMs, after]);
}

test("the critical path of a carried-on run begins with the first one, and tells of the pause", () => {
  const killed = recorded([...story.slice(0, 8), [10, "started", "apply Service/c"]], undefined);
  const carriedOn: readonly Told[] = [
    [30, "started", "apply Service/c"],
    [31, "finished", "apply Service/c"],
    [31, "started", "await Service/c"],
    [35, "finished", "await Service/c"],
  ];
  const second = { ...recorded(carriedOn, { at: 35, status: "deployed" }), startedAtMs: startMs + 30_000 };
  const first = recorded(story.slice(0, 8), undefined);
  assert.deepEqual(pathOf(first, second), [
    ["job/a", 0, 10_000, undefined],
    ["service/c", 30_000, 35_000, "it was carried on"],
  ]);
  assert.deepEqual(pathOf(killed, second), [
    ["job/a", 0, 10_000, undefined],
    ["service/c", 10_000, 35_000, "needs join 2"],
  ]);
});

test("two timelines are compared object by object", () => {
  const slow = story
    .map(([at, ...rest]): Told => (at > 11 ? [at + 20, ...rest] : [at, ...rest]))
    .filter(([, , id]) => id !== "apply Pod/b");
  const compared = compareTimelines(timelineOf(whole), timelineOf({ ...whole, runs: [recorded(slow, { at: 35, status: "deployed" })] }));
  assert.deepEqual(
    compared.slower.map(({ ref, beforeMs, afterMs }) => [titleOf(ref), beforeMs, afterMs]),
    [["service/c", 5000, 25_000]],
  );
  assert.deepEqual([compared.faster, compared.added], [[], []]);
  assert.deepEqual(
    compared.removed.map(({ ref }) => titleOf(ref)),
    ["pod/b"],
  );
});

/** A timeline of one object that took so long. */
function timelineWith(outcome: "finished" | "skipped" | "failed", toMs: number): Timeline {
  const timeline = timelineOf(whole);
  const [row] = timeline.rows;
  return { ...timeline, rows: [{ ...row!, outcome, spans: [{ phase: "wait", fromMs: 0, toMs }] }] };
}

function counts(before: Timeline, after: Timeline): { slower: number; faster: number } {
  const { slower, faster } = compareTimelines(before, after);
  return { slower: slower.length, faster: faster.length };
}

test("an object that was skipped or failed is not called faster, nor slower the next time", () => {
  const [slow, fast] = [timelineWith("finished", 9000), timelineWith("finished", 2000)];
  assert.deepEqual(counts(slow, fast), { slower: 0, faster: 1 });
  for (const outcome of ["skipped", "failed"] as const) {
    assert.deepEqual(counts(slow, timelineWith(outcome, 0)), { slower: 0, faster: 0 }, outcome);
    assert.deepEqual(counts(timelineWith(outcome, 0), slow), { slower: 0, faster: 0 }, outcome);
  }
  assert.deepEqual(counts(fast, timelineWith("failed", 9000)), { slower: 1, faster: 0 });
});

/** A text that does not compress well. */
function random(seed: number): string {
  return Math.abs(Math.sin(seed) * 1e15).toString(36);
}

test("a recording that is too large loses its least telling parts first, and says which", () => {
  const steps = Array.from({ length: 3000 }, (_, at) => ({
    ...whole.runs[0]!.steps[2]!,
    id: `await Job/${random(at)}`,
    outcome: at === 1500 ? ("failed" as const) : ("finished" as const),
    endedAtMs: startMs + 1000 + (at % 7) * 400,
    waits: Array.from({ length: 10 }, (__, wait) => ({ atMs: startMs + wait, because: random(at * 10 + wait) })),
  }));
  const large: Recording = { ...whole, runs: [{ ...whole.runs[0]!, steps }] };
  const limits = [1_000_000, 100_000, 40_000, 2_000].map((limit) => {
    const bytes = encodeRecording(large, limit);
    assert.ok(bytes.length <= limit);
    const { runs, leftOut = [] } = decodeRecording(bytes, "it");
    assert.ok(runs[0]!.steps.some(({ outcome }) => outcome === "failed"));
    return leftOut.length;
  });
  assert.deepEqual(
    limits,
    limits.toSorted((a, b) => a - b),
  );
  assert.ok(limits[0] === 0 && limits.at(-1)! > 3);
});

test("what is no recording is refused with what to do", () => {
  const refusals: readonly (readonly [Uint8Array, RegExp])[] = [
    [encodeRecording(whole).subarray(0, -20), /read it: it is cut short or damaged: choose another revision/],
    [Buffer.from("no gzip"), /cut short or damaged/],
    [
      gzipSync(JSON.stringify({ ...whole, version: 2 })),
      /read it: it is of version 2, and this sluice reads version 1: read it with the sluice/,
    ],
    [gzipSync(JSON.stringify({ ...whole, runs: [] })), /cut short or damaged/],
    [gzipSync(JSON.stringify({ ...whole, runs: [{ ...whole.runs[0], steps: [{ id: "x" }] }] })), /cut short or damaged/],
    [gzipSync(JSON.stringify({ ...whole, subject: {} })), /cut short or damaged/],
    [gzipSync(Buffer.alloc(70_000_000), { level: 1 }), /cut short or damaged/],
  ];
  for (const [bytes, message] of refusals) assert.throws(() => decodeRecording(bytes, "it"), message);
  assert.deepEqual(decodeRecording(encodeRecording(whole), "it"), whole);
});

test("pods tell when they were scheduled, pulled, started and ready", () => {
  const time = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();
  const pod = (name: string, createdAt: number, more: object): KubeObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", uid: name, creationTimestamp: time(createdAt), ...more },
    status: {
      conditions: [
        { type: "PodScheduled", status: "True", lastTransitionTime: time(createdAt + 1) },
        { type: "Ready", status: "True", lastTransitionTime: time(createdAt + 9) },
      ],
      containerStatuses: [{ name: "c", image: "web:1", restartCount: 0, state: { running: { startedAt: time(createdAt + 4) } } }],
    },
  });
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-abc", uid: "u", controller: true };
  const pods = [pod("web-abc-1", 10, { labels: { "pod-template-hash": "abc" }, ownerReferences: [owner] }), pod("old", -100, {})];
  const pulled = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e" },
    reason: "Pulled",
    message: 'Successfully pulled image "web:1" in 1.5s (2s including waiting). Image size: 5 bytes.',
    involvedObject: { uid: "web-abc-1", fieldPath: "spec.containers{c}" },
  };
  assert.deepEqual(recordedPodsOf(pods, [pulled], startMs), [
    {
      name: "web-abc-1",
      namespace: "default",
      owner: { kind: "Deployment", name: "web" },
      createdAtMs: startMs + 10_000,
      scheduledAtMs: startMs + 11_000,
      readyAtMs: startMs + 19_000,
      containers: [{ name: "c", image: "web:1", pullMs: 1500, startedAtMs: startMs + 14_000, restarts: 0 }],
    },
  ]);
});
