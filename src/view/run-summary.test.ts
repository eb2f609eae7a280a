import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepProgress } from "../release/index.ts";
import { failureSummary, plainPaint, successSummary, type ProgressRow } from "./index.ts";

const ref = (kind: string, name: string) => ({ group: "", version: "v1", kind, namespace: "shop", name });
const row = (name: string, left: number, progress?: StepProgress): ProgressRow => ({
  ref: ref("Job", name),
  left,
  ...(progress === undefined ? {} : { progress }),
  ...(progress?.type === "failed" ? { failure: progress } : {}),
});
const about = (name: string) => ({ verb: "await", ref: ref("Job", name) }) as const;

test("the summary of a failure lists what failed with its logs, what is unfinished and what was not started", () => {
  const rows = [
    row("done", 0, { type: "finished", ...about("done") }),
    row("bad", 0, {
      type: "failed",
      ...about("bad"),
      because: "exit code 3",
      events: ["BackOff: restarting"],
      normalEvents: ["Pulled: it is there"],
      logs: [{ pod: "bad-1", container: "c", lines: ["no database"] }],
    }),
    row("slow", 1, { type: "waiting", ...about("slow"), because: "0 of 1 completions" }),
    row("half", 1, { type: "started", verb: "apply", ref: ref("Job", "half") }),
    row("later", 2, { type: "skipped", ...about("later"), because: "job/bad failed" }),
    row("never", 2),
  ];
  assert.deepEqual(failureSummary("job/bad: exit code 3", rows), [
    "error: job/bad: exit code 3; what was done stays.",
    "Failed:",
    "  job/bad",
    "    event: Pulled: it is there",
    "    warning: BackOff: restarting",
    "    last lines of bad-1, container c:",
    "      no database",
    "Not finished:",
    "  job/slow: 0 of 1 completions",
    "  job/half: was being applied",
    "Not begun:",
    "  job/later",
    "  job/never",
  ]);
});

const failed = (name: string, because: string) => row(name, 0, { type: "failed", ...about(name), because });

test("a reason is told once: in the first line, or beside its object", () => {
  const told = "error: job/bad: no; what was done stays.";
  assert.deepEqual(failureSummary("job/bad: no", [failed("bad", "no")]), [told]);
  assert.deepEqual(failureSummary("job/bad: no", [failed("bad", "no"), failed("worse", "never")]), [
    told,
    "Failed:",
    "  job/bad",
    "  job/worse: never",
  ]);
  const undone = "job/bad: no; rolled back to revision 1";
  assert.deepEqual(failureSummary(undone, [failed("bad", "no"), row("never", 2)], plainPaint, "undone"), [`error: ${undone}.`]);
  assert.deepEqual(failureSummary("interrupted", [failed("bad", "no")]).slice(1), ["Failed:", "  job/bad: no"]);
});

test("of logs that were shown already the summary repeats the last lines only, and all are harmless", () => {
  const lines = ["1", "2", "3", "4", "5", "6\u001B[2J"];
  const failed = { type: "failed", ...about("bad"), because: "exit code 3", logs: [{ pod: "bad-1", container: "c", lines }] } as const;
  assert.deepEqual(
    failureSummary("x", [row("bad", 0, failed)]).slice(4),
    lines.map((line) => `      ${line[0]}`),
  );
  assert.deepEqual(
    failureSummary("x", [{ ...row("bad", 0, failed), logged: true }]).slice(4),
    ["2", "3", "4", "5", "6"].map((line) => `      ${line}`),
  );
});

test("the summary of a failure before the first step says that nothing was touched", () => {
  const unchanged = { ...row("b", 0), progress: { type: "finished", verb: "await", ref: row("b", 0).ref, because: "unchanged" } } as const;
  assert.deepEqual(failureSummary("interrupted", [row("a", 1), unchanged]), ["error: interrupted; nothing was touched"]);
});

test("a good end names the release and what stays", () => {
  const plan = {
    version: 1,
    operation: "upgrade",
    steps: [],
    release: { name: "web", namespace: "shop", revision: 3 },
    kept: [{ ref: ref("PersistentVolumeClaim", "data"), because: "it holds data" }],
  } as const;
  assert.deepEqual(successSummary({ type: "done", status: "deployed" }, plan), [
    "deployed: web in shop, revision 3",
    "Stays:",
    "  persistentvolumeclaim/data: it holds data",
  ]);
  assert.deepEqual(successSummary({ type: "done", status: "deleted" }, { ...plan, kept: [] }), ["deleted: web in shop"]);
});

test("the full stop of a reason does not stand before more", () => {
  const rows = [row("bad", 0, { type: "failed", ...about("bad"), because: "no node fits." })];
  assert.equal(failureSummary("job/bad: no node fits.", rows)[0], "error: job/bad: no node fits; what was done stays.");
  assert.equal(failureSummary("job/bad: no node fits.", rows, plainPaint, "undone")[0], "error: job/bad: no node fits.");
});
