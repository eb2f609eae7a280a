import { commandContext } from "../../component/command-context.ts";
import { useSignal } from "@preact/signals";
import { pathOf, type OverviewFinding } from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import type { Activity } from "./activity.ts";
import { commandFor } from "./activity-command.ts";

/** So many are shown at first. */
const maxShown = 20;

/** What fails, is being deployed or has drifted, with what it waits for. */
export function ActivityList({ activities, context }: { readonly activities: readonly Activity[]; readonly context: string }) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? activities : activities.slice(0, maxShown);
  return (
    <>
      <ul class="activities">
        {shown.map((activity) => (
          <ActivityRow key={activity.key} activity={activity} context={context} />
        ))}
      </ul>
      {shown.length < activities.length ? (
        <button type="button" class="button" onClick={() => (isWhole.value = true)}>
          Show {activities.length - shown.length} more
        </button>
      ) : null}
    </>
  );
}

function ActivityRow({ activity, context }: { readonly activity: Activity; readonly context: string }) {
  const { state, word, subject, because, sinceMs, group } = activity;
  const command = commandFor(activity, commandContext(context));
  return (
    <li class={`activity is-${group}`}>
      <div class="activity-head">
        <StateBadge state={state} word={word} />
        <SubjectLink activity={activity} context={context} />
        <span class="quiet">{subject.type === "release" ? `revision ${subject.release.revision}` : clustersText(subject.finding)}</span>
        {sinceMs === undefined ? null : (
          <span class="quiet activity-time">
            <RelativeTime ms={sinceMs} />
          </span>
        )}
      </div>
      {because === "" ? null : <p class="activity-because">{because}</p>}
      {command === undefined ? null : (
        <details class="activity-command">
          <summary>Command</summary>
          <CopyCommand command={command} />
        </details>
      )}
    </li>
  );
}

/** Everything that has a view leads to it. */
function SubjectLink({ activity: { subject }, context }: { readonly activity: Activity; readonly context: string }) {
  if (subject.type === "release") {
    const { namespace, name } = subject.release;
    return (
      <a href={pathOf({ type: "release", context, namespace, name })}>
        {namespace}/{name}
      </a>
    );
  }
  const { kind, namespace, name } = subject.finding.object;
  const title = `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
  if (kind === "ClusterProfile" || kind === "Profile")
    return <a href={pathOf({ type: "profile", context, kind, namespace, name })}>{title}</a>;
  if (kind === "SveltosCluster" || kind === "Cluster")
    return <a href={pathOf({ type: "cluster", context, kind, namespace, name })}>{title}</a>;
  if (kind === "EventTrigger" || kind === "EventBasedAddOn")
    return <a href={pathOf({ type: "events", context, trigger: { kind, name } })}>{title}</a>;
  if (kind === "EventSource")
    return <a href={`${pathOf({ type: "events", context })}?${new URLSearchParams({ source: name })}`}>{title}</a>;
  return <span>{title}</span>;
}

function clustersText({ clusters, clusterCount }: OverviewFinding): string {
  if (clusterCount === 0) return "";
  if (clusterCount === 1) return `in ${clusters[0] ?? ""}`;
  const rest = clusterCount - clusters.length;
  return `in ${clusterCount} clusters: ${clusters.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
