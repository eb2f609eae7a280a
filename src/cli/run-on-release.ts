import { lineFor } from "../core/fault/index.ts";
import type { Clock } from "../core/clock/index.ts";
import type { Cluster } from "../kube/index.ts";
import type { DeployOptions, Proposal, OperationPolicy } from "../release/deploy/index.ts";
import type { Release } from "../release/record/index.ts";
import type { Progress } from "../release/index.ts";
import { storageInVariables } from "./helm/helm-variables.ts";
import { reportRun } from "./report-run.ts";
import { hasDied, processIdentity } from "./process-identity.ts";
import type { Traces } from "./open-traces.ts";
import { openClusterSession, type ClusterSession } from "./cluster-session.ts";
import type { LocalDashboard } from "./local-dashboard.ts";
import { fleetAttendance } from "./fleet/fleet-attendance.ts";
import { progressReporter } from "./progress-reporter.ts";
import type { Terminal } from "./terminal.ts";
import { wantsTraces } from "./trace-variables.ts";
import type { DeployFlags, DeployTerms, PolicyFlags, ReleaseFlags } from "./shared-options.ts";
import { logScopeOf } from "./log-scope.ts";
import { waitModeOf } from "./wait-mode.ts";

/** What a command does to a release of an open cluster. */
export type ReleaseOperation = (cluster: Cluster, release: Release, options: DeployOptions) => AsyncIterable<Progress>;

/** Opens the cluster, runs the operation on the release, reports its progress and returns the exit code. */
export async function runOnRelease(
  what: { readonly name: string; readonly command: string; readonly work: ReleaseOperation },
  options: ReleaseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { output, timeout, schedulingTimeout, parallel, takeOverPending, recording = true } = options;
  let printLine = terminal.err;
  const warn = (warning: string) => printLine(terminal.paint.warn(`warning: ${warning}`));
  const session = await openClusterSession(options, warn);
  let dashboard: LocalDashboard | undefined;
  try {
    const { cluster } = session;
    const reporter = progressReporter({ output, clock: cluster.clock, cluster: session.name }, terminal);
    printLine = reporter.printLine;
    const release = { name: what.name, namespace: cluster.namespace };
    // What serves a dashboard is loaded only when it is asked for.
    dashboard = options.dashboard === true ? await startDashboard(session, release, options, terminal) : undefined;
    const traces = await openWantedTraces(cluster.clock, warn);
    const proposed = ({ warnings }: Proposal) => warnings.forEach((warning) => warn(lineFor(warning)));
    const progress = what.work(cluster, release, {
      signal,
      identity: processIdentity(`sluice ${what.command}`),
      hasDied,
      timeoutMs: timeout,
      schedulingTimeoutMs: schedulingTimeout,
      logs: logScopeOf(options),
      attendanceOf: fleetAttendance(cluster, signal),
      proposed,
      takeOverPending,
      ...recordingOptionsOf(recording, traces, warn),
      ...(parallel === undefined ? {} : { parallel }),
    });
    const code = await reportRun(progress, { output, reporter, terminal, signal });
    await traces?.flush();
    return code;
  } finally {
    await dashboard?.close({ isRunOver: true });
    session.close();
  }
}

async function startDashboard(
  session: ClusterSession,
  release: Release,
  options: ReleaseFlags,
  terminal: Terminal,
): Promise<LocalDashboard> {
  return (await import("./run-dashboard.ts")).startRunDashboard(session, release, options, terminal);
}

/** What sends traces is loaded only when it is asked for. */
async function openWantedTraces(clock: Clock, warn: (warning: string) => void): Promise<Traces | undefined> {
  return wantsTraces(process.env) ? (await import("./open-traces.ts")).openTraces(clock, warn) : undefined;
}

function recordingOptionsOf(
  keep: boolean,
  traces: Traces | undefined,
  onWarning: (warning: string) => void,
): Pick<DeployOptions, "recording"> {
  if (!keep && traces === undefined) return {};
  return { recording: { onWarning, keep, ...(traces === undefined ? {} : { onRecorded: (recording) => traces.addRecording(recording) }) } };
}

export function operationPolicyOf({
  wait = true,
  forceConflicts = false,
  takeOwnership = false,
  deleteData = false,
  hooks = true,
}: PolicyFlags): OperationPolicy {
  return { wait: waitModeOf({ wait }), forceConflicts, takeOwnership, deleteData, noHooks: !hooks };
}

export function revisionOptionsOf({ autoRollback, historyMax, description }: DeployFlags) {
  return { autoRollback, ...(historyMax === undefined ? {} : { historyMax }), ...(description === undefined ? {} : { description }) };
}

/** What has to be so of the release, the labels of its record, and what stores it. */
export function releaseTermsOf({ expects, labels }: DeployTerms) {
  const storage = storageInVariables();
  return {
    ...(expects === undefined ? {} : { expects }),
    ...(labels === undefined ? {} : { labels }),
    ...(storage === undefined ? {} : { storage }),
  };
}
