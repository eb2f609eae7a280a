import { titleOf } from "../../core/object/index.ts";
import { textConcealerFor, type Proposal } from "../deploy/index.ts";
import type { RunStatus } from "../index.ts";
import type { Plan } from "../plan/index.ts";
import { RunRecording, type Recording } from "../recording/index.ts";
import type { Release } from "../record/index.ts";
import type { LearntDurations } from "./learn-behaviour.ts";
import { endOf, type RehearsedRun } from "./rehearse.ts";
import type { Snapshot, Unseen } from "./snapshot.ts";
import { runsPods } from "./what-if.ts";

/** How a deploy is expected to go, and how far that can be trusted. Survives JSON. */
export type RehearsalReport = {
  readonly release: Release;
  readonly takenAt: string;
  readonly kubernetes: string;
  readonly status: RunStatus | "refused";
  readonly because?: string;
  /** The expected story; absent when the deploy is refused before it has a plan. */
  readonly recording?: Recording;
  readonly learnt: readonly LearntDurations[];
  /** The file that says how pods behave. Default none. */
  readonly given?: string;
  /** Workloads about which nothing was learnt: they take the defaults of the embedded cluster. */
  readonly guessed: readonly string[];
  readonly unseen: readonly Unseen[];
  readonly webhooks: readonly string[];
  /** Kinds of the live cluster that an embedded one does not serve. */
  readonly unserved: readonly string[];
  /** Where the rehearsed plan is other than the live one. */
  readonly differences: readonly string[];
};

type ReportInput = {
  readonly proposal: Proposal;
  readonly snapshot: Snapshot;
  readonly run: RehearsedRun;
  readonly learnt: readonly LearntDurations[];
  readonly given?: string | undefined;
};

/** The report of a deploy that is refused before there is anything to rehearse. */
export function refusalReport(release: Release, because: string, nowMs: number): RehearsalReport {
  const nothing = { learnt: [], guessed: [], unseen: [], webhooks: [], unserved: [], differences: [] };
  return { release, takenAt: new Date(nowMs).toISOString(), kubernetes: "", status: "refused", because, ...nothing };
}

export function reportOf({ proposal, snapshot, run, learnt, given }: ReportInput): RehearsalReport {
  const { release, plan } = proposal;
  const end = endOf(run);
  const lacking = lackingRightsText(snapshot);
  const because = end?.because ?? (run.refusal instanceof Error ? run.refusal.message : undefined) ?? lacking;
  const status = end?.status ?? "refused";
  const rehearsed = planOf(run);
  const recording = rehearsed === undefined ? undefined : recordingOf(run, rehearsed, proposal);
  const applied = plan.steps.flatMap(({ action }) => (action.verb === "apply" ? [action.ref] : []));
  const known = applied.filter((ref) =>
    learnt.some(({ kind, name, namespace }) => kind === ref.kind && name === ref.name && namespace === ref.namespace),
  );
  return {
    release,
    takenAt: snapshot.takenAt,
    kubernetes: snapshot.kubernetes,
    status: lacking !== undefined && status === "deployed" ? "failed" : status,
    ...(because === undefined ? {} : { because }),
    ...(recording === undefined ? {} : { recording }),
    learnt: learnt.filter(({ kind, name, namespace }) =>
      known.some((ref) => ref.kind === kind && ref.name === name && ref.namespace === namespace),
    ),
    ...(given === undefined ? {} : { given }),
    guessed: [...new Set(applied.filter((ref) => runsPods(ref) && !known.includes(ref)).map(titleOf))],
    unseen: snapshot.unseen,
    webhooks: snapshot.webhooks,
    unserved: [...new Set(run.unserved.map(({ kind, apiVersion }) => `${kind} (${apiVersion})`))],
    differences: rehearsed === undefined ? [] : differencesBetween(plan, rehearsed),
  };
}

function lackingRightsText({ missingRights = [] }: Snapshot): string | undefined {
  return missingRights.length === 0 ? undefined : `you may not ${missingRights.join(", ")}: ask for these rights`;
}

function planOf({ progress }: RehearsedRun): Plan | undefined {
  for (const { event } of progress) if (event.type === "planned") return event.plan;
  return undefined;
}

function recordingOf({ progress, startedAtMs }: RehearsedRun, plan: Plan, proposal: Proposal): Recording {
  const { release, revision } = proposal;
  const recording = new RunRecording(plan, startedAtMs, { conceal: textConcealerFor(proposal) });
  for (const { event, atMs } of progress) recording.onProgress(event, atMs);
  return { version: 1, subject: { type: "release", ...release, revision: revision.revision }, runs: [recording.run] };
}

/** What changes in one plan and not in the other: then the rehearsal was not about the same deploy. */
function differencesBetween(live: Plan, rehearsed: Plan): readonly string[] {
  const [there, here] = [changesIn(live), changesIn(rehearsed)];
  const keys = [...new Set([...there.keys(), ...here.keys()])];
  return keys
    .filter((key) => there.get(key) !== here.get(key))
    .map((key) => `${key}: ${there.get(key) ?? "untouched"} in the live cluster, ${here.get(key) ?? "untouched"} in the rehearsal`);
}

function changesIn({ steps }: Plan): ReadonlyMap<string, string> {
  return new Map(
    steps.flatMap(({ action }): readonly (readonly [string, string])[] => {
      if (action.verb === "apply") return [[titleOf(action.ref), action.change]];
      return action.verb === "delete" ? [[titleOf(action.ref), "deleted"]] : [];
    }),
  );
}
