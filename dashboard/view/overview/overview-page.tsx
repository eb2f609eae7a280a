import {
  outageNotice,
  pathOf,
  type Notice,
  type OverviewFinding,
  type OverviewFleet,
  type OverviewRelease,
  type OverviewView,
} from "../../../src/dashboard/api/index.ts";
import { CopyCommand } from "../../component/copy-command.tsx";
import { Notices } from "../../component/notices.tsx";
import { contextFlag } from "../../component/command-context.ts";
import { StateBadge, type State } from "../../component/state-badge.tsx";
import { queryOf, setQuery } from "../../location.ts";
import { openViews } from "../../stream/view-stream.ts";
import { activitiesIn, activityGroups, type Activity, type ActivityGroup } from "./activity.ts";
import { ActivityList } from "./activity-list.tsx";
import { FleetCounts } from "./fleet-counts.tsx";
import { ReleaseSection } from "./release-section.tsx";

/** What is deploying, failing and drifting now, over everything that the visitor may see. */
export function OverviewPage({ view }: { readonly view: OverviewView }) {
  const path = pathOf(view);
  const items = openViews([path]).get(path)!;
  const releases = items.ofType<OverviewRelease>("release");
  const findings = items.ofType<OverviewFinding>("finding");
  const [fleet] = items.ofType<OverviewFleet>("fleet");
  const activities = activitiesIn(releases, findings);
  const isComplete = items.isComplete.value;
  const notices = items.notices.value;
  const isEmpty = isComplete && releases.length === 0 && (fleet === undefined || fleet.clusters === 0);
  return (
    <div class="overview">
      <Notices items={items} />
      {isEmpty && activities.length === 0 ? (
        <EmptyCluster context={view.context} notices={notices} />
      ) : (
        <NowSection
          activities={activities}
          context={view.context}
          more={fleet?.more ?? 0}
          isComplete={isComplete}
          isAway={notices.some(isOutage)}
        />
      )}
      {fleet === undefined || (isEmpty && fleet.triggers + fleet.profiles === 0) ? null : (
        <FleetCounts fleet={fleet} context={view.context} />
      )}
      {releases.length === 0 ? null : <ReleaseSection releases={releases} context={view.context} />}
    </div>
  );
}

type NowProps = {
  readonly activities: readonly Activity[];
  readonly context: string;
  readonly more: number;
  readonly isComplete: boolean;
  /** The cluster does not answer, so nobody knows how it is doing now. */
  readonly isAway: boolean;
};

/** What goes on and what it waits for: the first thing that a visitor sees. */
function NowSection({ activities, context, more, isComplete, isAway }: NowProps) {
  const chosen = queryOf("show");
  const shown = activities.filter(({ group }) => chosen === "" || group === chosen);
  return (
    <section aria-labelledby="now-title">
      <div class="section-head">
        <h1 id="now-title">{titleFor(activities, isComplete, isAway)}</h1>
        <GroupChips activities={activities} chosen={chosen} />
      </div>
      {isComplete && !isAway && activities.length === 0 ? (
        <p class="all-well">
          <StateBadge state="ready" word="Everything that you may see is as it should be." />
        </p>
      ) : null}
      <ActivityList activities={shown} context={context} />
      {more > 0 ? <p class="quiet">{more} more findings: the views of the fleet have them.</p> : null}
    </section>
  );
}

function titleFor(activities: readonly Activity[], isComplete: boolean, isAway: boolean): string {
  if (!isComplete) return "Reading…";
  const [failing, deploying] = (["failing", "deploying"] as const).map((group) => activities.filter((each) => each.group === group).length);
  const since = isAway ? " when the cluster last answered" : "";
  if (failing === 0 && deploying === 0) return isAway ? `Nothing failed${since}` : "Nothing fails, and nothing is being deployed";
  const parts = [failing === 0 ? "" : `${failing} failing`, deploying === 0 ? "" : `${deploying} being deployed`];
  return parts.filter((part) => part !== "").join(", ") + since;
}

const chipStates: Readonly<Record<ActivityGroup, State>> = {
  failing: "failed",
  deploying: "progressing",
  drift: "skipped",
  noted: "waiting",
};

function GroupChips({ activities, chosen }: { readonly activities: readonly Activity[]; readonly chosen: string }) {
  const groups = activityGroups.flatMap(([group, word]) => {
    const count = activities.filter((each) => each.group === group).length;
    return count === 0 ? [] : [{ group, text: `${count} ${word}` }];
  });
  if (groups.length < 2) return null;
  return (
    <div class="chips" role="group" aria-label="Show only">
      {groups.map(({ group, text }) => (
        <button
          key={group}
          type="button"
          class="chip"
          aria-pressed={chosen === group}
          onClick={() => setQuery("show", chosen === group ? undefined : group)}
        >
          <StateBadge state={chipStates[group]} word={text} />
        </button>
      ))}
    </div>
  );
}

/** The cluster does not answer, or could not be opened: the notice says why. */
function isOutage({ key }: Notice): boolean {
  return key === outageNotice || key === "view";
}

/** A cluster in which nothing has been deployed yet. */
function EmptyCluster({ context, notices }: { readonly context: string; readonly notices: readonly Notice[] }) {
  if (notices.some(isOutage)) return <h1>Nothing is known of this cluster</h1>;
  return (
    <section class="empty-cluster" aria-labelledby="empty-title">
      <h1 id="empty-title">{notices.length > 0 ? "There is nothing here that you may see" : "Nothing is deployed here yet"}</h1>
      <p class="quiet">Releases appear here by themselves, as soon as there is one. A folder of manifests or a chart becomes one with</p>
      <CopyCommand command={`sluice deploy NAME FOLDER${contextFlag(context)}`} />
      <p class="quiet">and a fleet of clusters is managed from here after</p>
      <CopyCommand command={`sluice controller --install-definitions${contextFlag(context)}`} />
    </section>
  );
}
