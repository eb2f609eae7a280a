import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ObjectRef } from "../core/object/index.ts";
import { compareTimelines, timelineOf, type RecordedStep, type Recording } from "../release/recording/index.ts";
import { timelineComparisonLines, timelineLines, timelineOutline, timelinePage } from "./index.ts";

const startMs = Date.UTC(2030, 0, 1);
const document = readFileSync(join(import.meta.dirname, "../../docs/timeline.md"), "utf8");

function stepOf(verb: "apply" | "await", title: string, from: number, to: number, more: Partial<RecordedStep> = {}): RecordedStep {
  const [kind = "", name = ""] = title.split("/");
  const ref: ObjectRef = { group: "", version: "v1", kind, namespace: "shop", name };
  const times = { startedAtMs: startMs + from * 1000, endedAtMs: startMs + to * 1000 };
  return { id: `${verb} ${title}`, verb, ref, ...times, outcome: "finished", waits: [], ...more };
}

const after = (id: string, because: string) => ({ after: { id, because } });
const waits = (...reasons: readonly (readonly [number, string])[]) => ({
  waits: reasons.map(([at, because]) => ({ atMs: startMs + at * 1000, because })),
});

function recordingOf(revision: number, migrateSeconds: number): Recording {
  const done = migrateSeconds + 1;
  const steps = [
    stepOf("apply", "Job/migrate", 0, 1),
    stepOf("await", "Job/migrate", 1, done, { ...after("apply Job/migrate", "applied first"), ...waits([1, "0 of 1 completions"]) }),
    stepOf("apply", "Service/web", done, done + 0.2, after("await Job/migrate", "rank -10")),
    stepOf("apply", "Deployment/web", done, done + 0.4, after("await Job/migrate", "rank -10")),
    stepOf("await", "Deployment/web", done + 0.4, done + 15, {
      ...after("apply Deployment/web", "applied first"),
      ...waits([done + 0.4, "0 of 3 replicas updated"], [done + 3, "1 of 3 replicas available"]),
    }),
  ];
  const run = {
    operation: "upgrade",
    status: "deployed",
    startedAtMs: startMs,
    seenAtMs: startMs + (done + 15) * 1000,
    steps,
    pods: [],
  } as const;
  return { version: 1, subject: { type: "release", name: "web", namespace: "shop", revision }, runs: [run] };
}

test("a timeline is drawn as docs/timeline.md shows it", () => {
  const text = timelineLines(timelineOf(recordingOf(7, 24)), { columns: 90 }).join("\n");
  assert.ok(document.includes(`\n${text}\n`), text);
});

test("a comparison is told as docs/timeline.md shows it", () => {
  const [before, now] = [timelineOf(recordingOf(6, 9)), timelineOf(recordingOf(7, 24))];
  const text = timelineComparisonLines(before, now, compareTimelines(before, now)).join("\n");
  assert.ok(document.includes(`\n${text}\n`), text);
});

test("a page needs nothing else, and texts of others are text in it", () => {
  const hostile = `</title><script>alert(1)</script>"'&`;
  const [run] = recordingOf(7, 24).runs;
  const steps = [stepOf("await", `Pod/${hostile}`, 0, 3, { outcome: "failed", because: hostile, ...waits([0, hostile]) })];
  const subject = { type: "profile", profile: hostile, cluster: hostile, feature: "Resources" } as const;
  const page = timelinePage([timelineOf({ version: 1, subject, runs: [{ ...run!, because: hostile, steps }] })]);
  assert.doesNotMatch(page, /<script|javascript:|\son\w+=|(?:src|href)=/i);
  assert.doesNotMatch(page, /https?:/);
  assert.match(page, /&lt;script&gt;alert\(1\)/);
  assert.match(page, /default-src 'none'/);
});

test("lines keep to the terminal, whatever is in them", () => {
  const [run] = recordingOf(7, 24).runs;
  const steps = Array.from({ length: 3 }, (_, at) =>
    stepOf("await", `Pod/${"x".repeat(200)}${at}`, at, 9, waits([at, "\u001b[2J\nlong ".repeat(50)])),
  );
  const lines = timelineLines(timelineOf({ ...recordingOf(7, 24), runs: [{ ...run!, steps }] }), { columns: 80 });
  for (const line of lines) assert.ok(line.length <= 80 && !/\p{Cc}/u.test(line), line);
});

test("a timeline as data has the beginning as a time", () => {
  const recording = recordingOf(7, 24);
  const data: { readonly [key: string]: unknown } = { ...timelineOutline(timelineOf(recording), recording) };
  assert.deepEqual([data["startedAt"], data["lengthMs"], data["status"]], ["2030-01-01T00:00:00.000Z", 40_000, "deployed"]);
});
