import type { RunProgress, Progress } from "../release/index.ts";
import type { Plan } from "../release/plan/index.ts";
import { deferredCheckLines, failureHints, failureSummary, successSummary } from "../view/index.ts";
import { exitCodes } from "./failure.ts";
import type { ProgressReporter } from "./progress-reporter.ts";
import type { Terminal } from "./terminal.ts";

type Done = Extract<RunProgress, { type: "done" }>;

type ReportRunOptions = {
  readonly output: "text" | "ndjson";
  readonly reporter: ProgressReporter;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
};

/** Reports the progress of a run to its end, prints the summary and returns the exit code. */
export async function reportRun(
  progress: AsyncIterable<Progress>,
  { output, reporter, terminal, signal }: ReportRunOptions,
): Promise<number> {
  let plan: Plan | undefined;
  let done: Done | undefined;
  try {
    for await (const event of progress) {
      if (event.type === "planned") plan = event.plan;
      if (event.type === "done") done = event;
      if (event.type === "planned" && event.because !== undefined && output === "text")
        reporter.printLine(terminal.paint.warn(event.because));
      await untilAborted(reporter.report(event), signal);
      if (event.type === "planned" && output === "text") for (const line of deferredCheckLines(event.plan)) reporter.printLine(line);
    }
  } catch (error) {
    // The run was interrupted before it had a plan.
    if (!signal.aborted) throw error;
  } finally {
    reporter.end();
    if (signal.aborted) terminal.endSoon?.();
  }
  if (done !== undefined && plan !== undefined && done.status !== "failed" && done.status !== "stopped") {
    if (output === "text") for (const line of successSummary(done, plan, terminal.paint)) terminal.out(line);
    return exitCodes.ok;
  }
  const hints = plan === undefined || signal.aborted ? [] : failureHints(plan, reporter.rows());
  const end = done?.undone === true ? "undone" : wasInterrupted(done, signal) ? "interrupted" : "failed";
  for (const line of [...failureSummary(reasonOf(done, signal), reporter.rows(), terminal.paint, end), ...hints])
    terminal.err(terminal.logGroups?.plain(line) ?? line);
  return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
}

/** Waits for the output, which may never be read, until the run is interrupted. */
async function untilAborted(drained: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  if (drained === undefined || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const abort = () => resolve();
  signal.addEventListener("abort", abort, { once: true });
  await Promise.race([drained, promise]);
  signal.removeEventListener("abort", abort);
}

function reasonOf(done: Done | undefined, signal: AbortSignal): string {
  return wasInterrupted(done, signal) ? "interrupted" : (done?.because ?? "failed");
}

function wasInterrupted(done: Done | undefined, signal: AbortSignal): boolean {
  return signal.aborted || done?.status === "stopped";
}
