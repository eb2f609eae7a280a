import { RealClock } from "../../core/clock/index.ts";
import { BadInput, Fault, lineFor } from "../../core/fault/index.ts";
import { keyOf } from "../../core/object/index.ts";
import type { Behaviour } from "../../embedded/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { sensitiveObjectsOf, type DeployRequest } from "../../release/deploy/index.ts";
import type { Plan } from "../../release/plan/index.ts";
import { timelineOf } from "../../release/recording/index.ts";
import {
  concealedSnapshot,
  withQuotesOf,
  findTarget,
  learnBehaviour,
  openRehearsal,
  possibleFailures,
  readForRehearsal,
  refusalReport,
  rehearse as rehearseDeploy,
  rehearseEveryFailure,
  rehearseEveryKill,
  reportOf,
  type FailureConsequence,
  type KillConsequence,
  type RehearsalInput,
  type RehearsalReport,
  type Snapshot,
  type WhatIf,
} from "../../release/rehearse/index.ts";
import {
  failureTable,
  killTable,
  progressJson,
  rehearsalJunit,
  rehearsalLines,
  rehearsalPage,
  timelineMermaid,
  timelineOutline,
} from "../../view/index.ts";
import { readBehaviourFile } from "../behaviour-file.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import type { ChartFlags } from "../chart/chart-request.ts";
import type { RehearseFlags } from "../command-group/rehearse.ts";
import { loadDeployRequest } from "../deploy-request.ts";
import { logScopeOf } from "../log-scope.ts";
import { exitCodes, faultText, UsageFault } from "../failure.ts";
import type { DeployTerms } from "../shared-options.ts";
import { readSnapshotFile, saveSnapshot } from "../snapshot-file.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";

type Flags = RehearseFlags & ChartFlags & ReuseFlags & DeployTerms;

/** What is rehearsed: a deploy, what it would do, and the cluster to do it in. */
type Subject = RehearsalInput & { readonly request: DeployRequest; readonly clusterName: string };

/** Rehearses the deploy of the sources and prints how it is expected to go. The live cluster stays as it is. */
export async function rehearse(
  name: string,
  sources: readonly string[],
  options: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { output, everyFailure, kill } = options;
  if ((everyFailure || kill) && output !== "text" && output !== "json")
    throw new UsageFault(`--every-failure and --kill are told as text or json, and not as ${output}`);
  if (options.nodes !== undefined && options.embedded !== true)
    throw new UsageFault("--nodes is for --embedded: the nodes of a live cluster are read");
  const file = options.behaviour === undefined ? undefined : await readBehaviourFile(options.behaviour);
  const requestFor = await loadDeployRequest(name, sources, options, terminal, signal);
  const subject = await readSubject(requestFor, options, terminal, signal).catch((error: unknown) =>
    reportRefusal(error, name, options, terminal),
  );
  if (subject === undefined) return exitCodes.failed;
  const { proposal, snapshot } = subject;
  for (const warning of proposal.warnings) terminal.err(terminal.paint.warn(`warning: ${lineFor(warning)}`));
  const whatIf = whatIfOf(options, proposal.plan, snapshot);
  if (options.saveSnapshot !== undefined) {
    const sensitive = new Map(proposal.objects.map((object) => [keyOf(object.ref), object.sensitive]));
    await saveSnapshot(options.saveSnapshot, concealedSnapshot(snapshot, sensitive, sensitiveObjectsOf(proposal)));
    terminal.err(`saved: sluice rehearse --snapshot ${options.saveSnapshot} needs no cluster`);
  }
  return rehearseSubject(subject, whatIf, file, options, terminal, signal);
}

/** Programs get a report also of a deploy that is refused at once; a person gets the problems as of `deploy`. */
function reportRefusal(error: unknown, name: string, { output, namespace = "" }: Flags, terminal: Terminal): undefined {
  if (!(error instanceof Fault) || (output !== "json" && output !== "junit")) throw error;
  print(refusalReport({ name, namespace }, error.message, new RealClock().now()), undefined, undefined, output, terminal);
  terminal.err(faultText(error));
}

async function rehearseSubject(
  { request, proposal, snapshot, clusterName }: Subject,
  whatIf: WhatIf,
  file: Behaviour | undefined,
  options: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { behaviour: learntRules, learnt } = learnBehaviour(snapshot.evidence);
  const behaviour = { rules: [...(file?.rules ?? []), ...learntRules.rules] };
  const deploy = {
    signal,
    timeoutMs: options.timeout,
    schedulingTimeoutMs: options.schedulingTimeout,
    parallel: options.parallel,
    logs: logScopeOf(options),
    autoRollback: options.autoRollback,
    historyMax: options.historyMax,
  };
  const how = { namespace: request.release.namespace, behaviour, whatIf, deploy };
  const run = await rehearseDeploy(request, snapshot, how);
  const report = reportOf({ proposal, snapshot, run, learnt, given: options.behaviour });
  const failed = options.everyFailure ? await all(rehearseEveryFailure(request, proposal.plan, snapshot, how)) : undefined;
  const killed = options.kill ? await all(rehearseEveryKill(request, proposal.plan, snapshot, how)) : undefined;
  if (options.output === "ndjson") {
    const labels = { cluster: clusterName, release: { ...request.release, revision: proposal.revision.revision } };
    for (const { event, atMs } of run.progress) terminal.out(progressJson(event, atMs, labels));
  } else print(report, failed, killed, options.output, terminal);
  const good = report.status === "deployed" || report.status === "unchanged";
  return good ? exitCodes.ok : exitCodes.failed;
}

async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

function print(
  report: RehearsalReport,
  failed: readonly FailureConsequence[] | undefined,
  killed: readonly KillConsequence[] | undefined,
  output: Exclude<Flags["output"], "ndjson">,
  { out, screen, paint }: Terminal,
): void {
  const { recording, ...rest } = report;
  const timeline = recording === undefined ? undefined : timelineOf(recording);
  switch (output) {
    case "text": {
      const frame = { paint, ...(screen === undefined ? { whole: true } : { columns: screen.size().columns }) };
      for (const line of rehearsalLines(report, frame)) out(line);
      if (failed !== undefined) for (const line of ["", ...failureTable(failed)]) out(line);
      if (killed !== undefined) for (const line of ["", ...killTable(killed)]) out(line);
      return;
    }
    case "json": {
      const drawn = timeline === undefined || recording === undefined ? {} : { timeline: timelineOutline(timeline, recording) };
      const more = { ...(failed === undefined ? {} : { everyFailure: failed }), ...(killed === undefined ? {} : { everyKill: killed }) };
      return out(JSON.stringify({ ...rest, ...drawn, ...more }, undefined, 2));
    }
    case "junit":
      return out(rehearsalJunit(report));
    case "mermaid":
      return out(timeline === undefined ? "gantt" : timelineMermaid(timeline));
    case "html":
      return out(rehearsalPage(report));
  }
}

/** Reads the live cluster, or the snapshot that a flag names. */
async function readSubject(
  requestFor: (cluster: Cluster) => Promise<DeployRequest>,
  options: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Subject> {
  const { historyMax } = options;
  const read = async (request: DeployRequest, cluster: Cluster, clusterName: string): Promise<Subject> => {
    return { request, clusterName, ...(await readForRehearsal(request, cluster, { signal, historyMax })) };
  };
  if (options.snapshot === undefined)
    return withCluster(options, terminal, async ({ cluster, name }) => read(await requestFor(cluster), cluster, name));
  const file = options.snapshot;
  const saved = await readSnapshotFile(file);
  const namespace = namespaceIn(saved, file, options.namespace);
  const request = await withOffline(openOffline(saved, file, namespace), requestFor);
  const snapshot = withQuotesOf(saved, request.manifests);
  return { ...(await withOffline(openOffline(snapshot, file, namespace), (cluster) => read(request, cluster, file))), snapshot };
}

async function withOffline<T>(offline: ReturnType<typeof openRehearsal>, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  try {
    return await work(offline.newClient().cluster);
  } finally {
    offline.close();
  }
}

/** A snapshot that somebody has changed may hold what no API server has written. */
function openOffline(snapshot: Snapshot, file: string, namespace: string): ReturnType<typeof openRehearsal> {
  try {
    return openRehearsal(snapshot, { namespace });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(`use the snapshot ${file}`, `${error.message}: take it again with sluice rehearse --save-snapshot`, { final: true });
  }
}

/** The namespace that was asked for, or that of the release that the snapshot was taken for. */
function namespaceIn({ namespaces }: Snapshot, file: string, asked: string | undefined): string {
  if (asked === undefined) return namespaces?.[0] ?? "default";
  if (namespaces === undefined || namespaces.includes(asked)) return asked;
  const there = `it holds nothing of namespace ${asked}, only of ${namespaces.join(", ")}`;
  throw new Fault(`use the snapshot ${file}`, `${there}: name one of these with -n, or take another with --save-snapshot`, { final: true });
}

function whatIfOf({ fail, slow, nodeDown, apiErrors }: Flags, plan: Plan, snapshot: Snapshot): WhatIf {
  return {
    fail: fail.map(({ how, ...name }) => {
      const { ref, manifest } = findTarget(name, "--fail", plan);
      const possible = possibleFailures(manifest);
      if (how !== undefined && !possible.includes(how))
        throw new BadInput([
          { at: "--fail", message: `${name.kind}/${name.name} cannot fail by ${how}: expected ${possible.join(" or ")}` },
        ]);
      return { ref, how: how ?? possible[0]! };
    }),
    slow: slow.map(({ ms, ...name }) => ({ ref: findTarget(name, "--slow", plan).ref, ms })),
    nodesDown: nodeDown.flatMap((text) => nodesOf(text, snapshot)),
    apiErrors,
  };
}

/** A node by its name, or so many of them. */
function nodesOf(text: string, { objects }: Snapshot): readonly string[] {
  const names = objects.filter(({ kind }) => kind === "Node").map(({ metadata }) => metadata.name);
  if (names.includes(text)) return [text];
  if (names.length === 0) throw new BadInput([{ at: "--node-down", message: "no node of the cluster could be read" }]);
  if (!/^\d+$/.test(text))
    throw new BadInput([{ at: "--node-down", message: `there is no node ${text}: there are ${names.slice(0, 10).join(", ")}` }]);
  if (Number(text) > names.length) throw new BadInput([{ at: "--node-down", message: `there are ${names.length} nodes, and not ${text}` }]);
  return names.slice(0, Number(text));
}
