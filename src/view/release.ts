import { stringAt, titleOf } from "../core/object/index.ts";
import { isUnfinished, type LeaseHolder, type Hook, type Release, type Revision } from "../release/record/index.ts";
import type { ReleaseStatus } from "../release/status/index.ts";
import type { Paint } from "./step-progress-line.ts";
import { oneLine, table } from "./table.ts";

/** A revision as lists show it. */
type RevisionOutline = {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  /** RFC 3339, UTC; empty when the record has no time. */
  readonly updated: string;
  readonly status: string;
  readonly chart: string;
  /** The version of what the chart installs, under Helm's name. */
  readonly app_version: string;
  readonly description: string;
};

export function revisionOutline({ name, namespace, revision, state, description, ...rest }: Revision): RevisionOutline {
  const updated = timeText(revisionTime({ state, ...rest }));
  const appVersion = stringAt(rest.chart, "metadata.appVersion", "");
  return { name, namespace, revision, updated, status: state, chart: chartText(rest.chart), app_version: appVersion, description };
}

/** When a revision was last deployed, or deleted, as its record has it. */
export function revisionTime({ state, deleted, lastDeployed }: Pick<Revision, "state" | "deleted" | "lastDeployed">): string | undefined {
  return state === "uninstalling" || state === "uninstalled" ? deleted : lastDeployed;
}

/** A table of releases with Helm's headings. */
export function releaseTable(releases: readonly RevisionOutline[]): readonly string[] {
  const rows = releases.map((each) => [each.name, each.namespace, String(each.revision), each.updated, each.status, each.chart]);
  return table(["NAME", "NAMESPACE", "REVISION", "UPDATED", "STATUS", "CHART"], rows);
}

/** A table of revisions with Helm's headings. */
export function historyTable(revisions: readonly RevisionOutline[]): readonly string[] {
  const rows = revisions.map((each) => [String(each.revision), each.updated, each.status, each.chart, oneLine(each.description)]);
  return table(["REVISION", "UPDATED", "STATUS", "CHART", "DESCRIPTION"], rows);
}

/** The status of a release as data. `version` and `info` are where scripts for Helm look for the revision and its state. */
export function statusOutline({ revision, objects, holder, ready }: ReleaseStatus): object {
  const hooks = revision.hooks.map(({ kind, name, events, weight, lastRun }) => ({ kind, name, events, weight, lastRun }));
  const { notes } = revision;
  return {
    ...revisionOutline(revision),
    version: revision.revision,
    info: infoOf(revision),
    ready,
    ...(holder === undefined ? {} : { holder }),
    objects,
    hooks,
    ...(notes === "" ? {} : { notes }),
  };
}

function infoOf({ firstDeployed, lastDeployed, deleted, description, state, notes }: Revision): object {
  const times = { first_deployed: firstDeployed, last_deployed: lastDeployed, deleted };
  const known = Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined));
  return { ...known, description, status: state, ...(notes === "" ? {} : { notes }) };
}

/** The status of a release as text. */
export function statusLines({ revision, objects, holder }: ReleaseStatus, paint: Paint): readonly string[] {
  const outline = revisionOutline(revision);
  const rows = objects.map(({ ref, state, because = "" }) => [titleOf(ref), ref.namespace, state, because]);
  const hooks = revision.hooks.map((hook) => [titleOf(hook), hook.events.join(", "), String(hook.weight), ...runTexts(hook)]);
  return [
    ...headLines(outline, paint),
    ...workTexts(revision, holder).map((text) => `Lease:     ${text}`),
    ...part(rows, ["OBJECT", "NAMESPACE", "STATE", "REASON"]),
    ...part(hooks, ["HOOK", "EVENTS", "WEIGHT", "LAST RUN", "ENDED"]),
    ...(revision.notes === "" ? [] : ["", ...revision.notes.trimEnd().split("\n")]),
  ];
}

function headLines({ name, namespace, revision, updated, status, chart, description }: RevisionOutline, paint: Paint): readonly string[] {
  const role = status === "deployed" ? paint.good : status === "failed" ? paint.bad : paint.warn;
  return [
    `Release:   ${paint.strong(name)} in ${namespace}`,
    `Revision:  ${revision}`,
    `Status:    ${role(status)}`,
    `Updated:   ${updated}`,
    `Chart:     ${chart}`,
    `Reason:    ${oneLine(description)}`,
  ];
}

function part(rows: readonly (readonly string[])[], heads: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : ["", ...table(heads, rows)];
}

function runTexts({ lastRun: { phase, completedAt, event } }: Hook): readonly string[] {
  if (phase === "") return ["not run", ""];
  return [`${phase.toLowerCase()}${event === undefined ? "" : ` (${event})`}`, timeText(completedAt)];
}

/** Who is at work on a release, as a clause, and how it is carried on when nobody is. Helm, and who hides Leases, is not known. */
export function workTexts(revision: Pick<Revision, "state">, holder: LeaseHolder | undefined): readonly string[] {
  const next = isUnfinished(revision) ? "the same command carries it on" : undefined;
  if (holder === undefined) return next === undefined ? [] : [`nobody is known to be at work on it: ${next}`];
  const { name, since, heardOf, silent } = holder;
  if (!silent) return [`${name} is at work on it, since ${timeText(since)}`];
  return [`${name} was at work on it and has not been heard of since ${timeText(heardOf)}; ${next ?? "the next command takes over"}`];
}

/** What is printed when there are no releases. */
export function nothingText(namespace: string | undefined): string {
  return namespace === undefined ? "no releases in any namespace" : `no releases in namespace ${namespace}; -A looks in all of them`;
}

export function releaseName({ name, namespace }: Release): string {
  return `${name} in ${namespace}`;
}

/** A time in UTC, to the second. */
function timeText(time: string | undefined): string {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? "" : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A chart as Helm writes it: `web-1.2.3`. */
function chartText(chart: Revision["chart"]): string {
  const parts = [stringAt(chart, "metadata.name", ""), stringAt(chart, "metadata.version", "")];
  return parts.filter((text) => text !== "").join("-");
}
