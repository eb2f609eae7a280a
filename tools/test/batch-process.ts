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
  if (!(cause instanceof Error)) return String(cause);
  const {
    generatedMessage: _generated,
    actual: _actual,
    expected: _expected,
    operator: _operator,
    diff: _diff,
    ...rest
  } = cause as ErrorFields;
  const stack = (cause.stack ?? cause.message).split("\n").filter((line) => !/^ +at .*\(?node:/.test(line));
  const fields = Object.keys(rest).filter((key) => key !== "code").length === 0 ? "" : ` ${inspect(rest)}`;
  return `${stack.join("\n")}${fields}${cause.cause === undefined ? "" : `\ncaused by: ${reasonOf(cause.cause)}`}`;
}

/** What an AssertionError carries beside its message, which says it all. */
type ErrorFields = Error & Readonly<Record<string, unknown>>;

let cpuBefore = process.cpuUsage();

/** The processor time, of this process with all its threads, since this was asked last. */
function cpuMsSince(): number {
  const { user, system } = process.cpuUsage(cpuBefore);
  cpuBefore = process.cpuUsage();
  return (user + system) / 1000;
}

/** The names of the tests that have begun and not ended, by depth. */
const open: string[] = [];

for await (const event of run({ files: process.argv.slice(2), isolation: "none" })) {
  // Unlike `test:start`, which is held back until the tests before it have been reported, this comes when a test begins.
  if (event.type === "test:dequeue") {
    open.length = event.data.nesting;
    open.push(event.data.name);
    send({ type: "started", name: open.join(" > ") });
  }
  if (event.type === "test:diagnostic" && /^(Error|Warning): /.test(event.data.message)) process.stderr.write(`${event.data.message}\n`);
  if (event.type !== "test:pass" && event.type !== "test:fail") continue;
  const { name, nesting, skip, details, file = "" } = event.data;
  open.length = nesting;
  if (details.type === "suite" && event.type === "test:pass") continue;
  const result: TestResult = {
    state: event.type === "test:fail" ? "failed" : skip === undefined || skip === false ? "passed" : "skipped",
    file: relative(process.cwd(), file),
    name: [...open, name].join(" > "),
    durationMs: details.duration_ms,
    cpuMs: cpuMsSince(),
    ...(event.type === "test:fail" && { because: reasonOf(event.data.details.error) }),
    ...(typeof skip === "string" && { because: skip }),
  };
  send({ type: "result", result });
}
send({ type: "done" });
process.disconnect?.();
