import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { StepProgress, Progress } from "../release/index.ts";
import type { Action, Step } from "../release/plan/index.ts";
import { progressFrame, ProgressTable, plainPaint, type ProgressRow } from "./index.ts";
import { textWidth } from "./text-width.ts";

const ref = (kind: string, name: string, namespace = "shop") => ({ group: "", version: "v1", kind, namespace, name });
const shop = ref("Namespace", "shop", "");
const db = ref("StatefulSet", "db");
const web = ref("Deployment", "web");

const gone = (about: StepProgress["ref"]): Action => ({ verb: "delete", ref: about, propagation: "background" });
const step = (action: Action, at: number): Step => ({ id: String(at), action, needs: [], stage: "main", rank: 0 });
/** Two steps for each object. */
const steps = [shop, db, web].flatMap((about) => [gone(about), gone(about)]).map(step);
const planned: Progress = { type: "planned", plan: { version: 1, operation: "install", kept: [], steps } };

/** A run after news that came at the given seconds. */
function after(...news: readonly (readonly [number, StepProgress])[]): readonly ProgressRow[] {
  const live = new ProgressTable();
  live.update(planned, 0);
  for (const [second, progress] of news) live.update(progress, second * 1000);
  return live.rows;
}

const started = (about: StepProgress["ref"]): StepProgress => ({ type: "started", verb: "apply", ref: about });
const ready = (about: StepProgress["ref"]): StepProgress => ({ type: "finished", verb: "await", ref: about });
const waiting = (about: StepProgress["ref"], because: string): StepProgress => ({ type: "waiting", verb: "await", ref: about, because });
const news = [
  [1, started(shop)],
  [1, { ...started(shop), type: "finished" }],
  [2, ready(shop)],
  [3, started(db)],
  [4, waiting(db, "0 of 1 replicas are ready")],
] as const;
const running = after(...news);

test("a picture shows every object with its state, its age and what it waits for", () => {
  assert.deepEqual(progressFrame(running, { now: 70_000, columns: 80, lines: 24 }), [
    "namespace/shop          ready      1s",
    "statefulset/db in shop  waiting  1m7s  0 of 1 replicas are ready",
    "deployment/web in shop  pending",
    "1 of 3 done",
  ]);
});

test("the age of what is settled stands still", () => {
  const [first] = progressFrame(running, { now: 4_000_000, columns: 80, lines: 24 });
  assert.match(first!, /ready +1s$/);
});

test("a narrow terminal gets shorter lines, not more of them", () => {
  const frame = progressFrame(running, { now: 70_000, columns: 36, lines: 24 });
  assert.deepEqual(frame, [
    "namespace/shop      ready      1s",
    "statefulset/db in…  waiting  1m7s  …",
    "deployment/web in…  pending",
    "1 of 3 done",
  ]);
});

test("a low terminal gets what needs attention, and how much there is beside it", () => {
  const failed: StepProgress = { type: "failed", verb: "await", ref: web, because: "image\ncannot be pulled" };
  const frame = progressFrame(after(...news, [9, failed]), { now: 9000, columns: 80, lines: 3 });
  assert.deepEqual(frame, [
    "deployment/web in shop  failed  0s  image cannot be pulled",
    "… and 2 more: 1 waiting, 1 ready",
    "1 of 3 done",
  ]);
});

test("sixty objects keep to the rows there are: what waits on top, then what is pending, and the rest counted by state", () => {
  const live = new ProgressTable();
  const many = Array.from({ length: 60 }, (_, at) => ref("ConfigMap", `c${String(at).padStart(2, "0")}`));
  live.update({ type: "planned", plan: { version: 1, operation: "install", kept: [], steps: many.map(gone).map(step) } }, 0);
  for (const about of many.slice(0, 40)) live.update(ready(about), 0);
  live.update(waiting(many[50]!, "0 of 2 replicas available"), 1000);
  live.update(started(many[45]!), 2000);
  live.update(waiting(many[59]!, "no node"), 3000);
  const frame = (lines: number) => progressFrame(live.rows, { now: 4000, columns: 80, lines });
  assert.deepEqual(frame(7), [
    "configmap/c50 in shop  waiting   3s  0 of 2 replicas available",
    "configmap/c59 in shop  waiting   1s  no node",
    "configmap/c45 in shop  applying  2s",
    "configmap/c40 in shop  pending",
    "configmap/c41 in shop  pending",
    "… and 55 more: 15 pending, 40 ready",
    "40 of 60 done",
  ]);
  assert.deepEqual(frame(2), ["… and 60 more: 2 waiting, 1 applying, 17 pending, 40 ready", "40 of 60 done"]);
  assert.deepEqual(frame(1), ["40 of 60 done"]);
  assert.equal(frame(61).length, 61);
});

test("below what failed stand the last lines that it wrote, where there is room", () => {
  const logs = [{ pod: "web-1", container: "c", lines: ["one", "two", "three", "four", "five", "six"] }];
  const failed: StepProgress = { type: "failed", verb: "await", ref: web, because: "exit code 3", logs };
  const frame = (lines: number) => progressFrame(after(...news, [9, failed]), { now: 9000, columns: 80, lines }).slice(2, -1);
  assert.deepEqual(frame(24), [
    "deployment/web in shop  failed   0s  exit code 3",
    "  │ two",
    "  │ three",
    "  │ four",
    "  │ five",
    "  │ six",
  ]);
  assert.deepEqual(frame(7), ["deployment/web in shop  failed   0s  exit code 3", "  │ five", "  │ six"]);
  assert.deepEqual(frame(5), ["deployment/web in shop  failed   0s  exit code 3"]);
});

test("colours take no room", () => {
  const bright = { ...plainPaint, good: (text: string) => `<${text}>`, warn: (text: string) => `[${text}]` };
  const [first, second] = progressFrame(running, { now: 5000, columns: 80, lines: 24 }, bright);
  assert.equal(first, "namespace/shop          <ready>    1s");
  assert.equal(second, "statefulset/db in shop  [waiting]  2s  0 of 1 replicas are ready");
});

test("whatever the terminal's size, no line is too long and there are no more lines than fit", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 40 }),
      fc.string({ unit: "binary" }),
      (columns, lines, because) => {
        const frame = progressFrame(after(...news, [5, waiting(web, because)]), { now: 9000, columns, lines });
        assert.ok(frame.length <= lines, `${frame.length} lines`);
        for (const line of frame) assert.ok(textWidth(line) <= columns && !line.includes("\n"), line);
      },
    ),
  );
});
