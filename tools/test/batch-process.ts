/** Runs the test files that it is given in this process, and sends what became of each test to the process that started it. */
import { relative } from "node:path";
import { run } from "node:test";
import { inspect } from "node:util";
import type { BatchMessage, TestResult } from "./result.ts";

function send(message: BatchMessage): void {
  process.send?.(message);
}

/** What a test threw, without the layer that the test runner puts around it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && "code" in error && error.code === "ERR_TEST_FAILURE" ? (error.cause ?? error) : error;
  return cause instanceof Error ? inspect(cause) : String(cause);
}

/** The names of the tests that have begun and not ended, by depth. */
const open: string[] = [];

for await (const event of run({ files: process.argv.slice(2), isolation: "none" })) {
  if (event.type === "test:start") {
    open.length = event.data.nesting;
    open.push(event.data.name);
    send({ type: "started", name: open.join(" > ") });
  }
  if (event.type !== "test:pass" && event.type !== "test:fail") continue;
  const { name, nesting, skip, details, file = "" } = event.data;
  open.length = nesting;
  if (details.type === "suite" && event.type === "test:pass") continue;
  const result: TestResult = {
    state: event.type === "test:fail" ? "failed" : skip === undefined || skip === false ? "passed" : "skipped",
    file: relative(process.cwd(), file),
    name: [...open, name].join(" > "),
    durationMs: details.duration_ms,
    ...(event.type === "test:fail" && { because: reasonOf(event.data.details.error) }),
    ...(typeof skip === "string" && { because: skip }),
  };
  send({ type: "result", result });
}
send({ type: "done" });
process.disconnect?.();
