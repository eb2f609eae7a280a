import { lineFor as lineForProblem } from "../../core/fault/index.ts";
import { apply as applyAll } from "../../release/apply/index.ts";
import { prepare } from "../../release/prepare/index.ts";
import { load } from "../../release/load/index.ts";
import { reportRun } from "../report-run.ts";
import { openClusterSession } from "../cluster-session.ts";
import { sourceReaders } from "../source-readers.ts";
import { fleetFindings } from "../fleet/fleet-findings.ts";
import { fleetAttendance } from "../fleet/fleet-attendance.ts";
import { progressReporter } from "../progress-reporter.ts";
import type { Terminal } from "../terminal.ts";
import { logScopeOf } from "../log-scope.ts";
import { waitModeOf } from "../wait-mode.ts";
import type { ApplyFlags } from "../command-group/manifest.ts";

/** Applies the manifests of the sources and waits until they are ready. */
export async function apply(sources: readonly string[], options: ApplyFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, timeout, schedulingTimeout, forceConflicts: force, parallel } = options;
  const { manifests, invalid } = await load(sources, sourceReaders, { signal });
  let printLine = terminal.err;
  const session = await openClusterSession(options, (warning) => printLine(terminal.paint.warn(`warning: ${warning}`)));
  try {
    const { items, warnings } = await prepare(manifests, session.cluster, { signal, invalid, refusesTerminating: true });
    // The API server takes a script that does not compile, and a controller comes to it only when it is used.
    const { problems } = await fleetFindings(manifests);
    for (const warning of [...warnings, ...problems]) terminal.err(terminal.paint.warn(`warning: ${lineForProblem(warning)}`));
    const reporter = progressReporter({ output, clock: session.cluster.clock, cluster: session.name }, terminal);
    printLine = reporter.printLine;
    const limits = { timeoutMs: timeout, schedulingTimeoutMs: schedulingTimeout, ...(parallel === undefined ? {} : { parallel }) };
    const attendanceOf = fleetAttendance(session.cluster, signal);
    const policy = { force, wait: waitModeOf(options), logs: logScopeOf(options), attendanceOf };
    const progress = applyAll(items, session.cluster, { signal, ...policy, ...limits });
    return await reportRun(progress, { output, reporter, terminal, signal });
  } finally {
    session.close();
  }
}
