import type { OverviewFinding, OverviewRelease } from "../../../src/dashboard/api/index.ts";
import type { State } from "../../component/state-badge.tsx";
import { stateOf } from "./release-order.ts";

/** Something that goes on, or that somebody should look at. */
export type Activity = {
  readonly key: string;
  readonly group: ActivityGroup;
  readonly state: State;
  /** The state in a word. */
  readonly word: string;
  readonly subject:
    | { readonly type: "release"; readonly release: OverviewRelease }
    | { readonly type: "finding"; readonly finding: OverviewFinding };
  readonly because: string;
  readonly sinceMs?: number;
};

export type ActivityGroup = "failing" | "deploying" | "drift" | "noted";

/** The groups in their order, each with what it is called. */
export const activityGroups: readonly (readonly [ActivityGroup, string])[] = [
  ["failing", "failing"],
  ["deploying", "deploying"],
  ["drift", "drifted"],
  ["noted", "to know"],
];

/** What goes on over releases and the fleet: what fails first, then what is being deployed; in each the latest first. */
export function activitiesIn(releases: readonly OverviewRelease[], findings: readonly OverviewFinding[]): readonly Activity[] {
  const all = [...releases.flatMap(releaseActivity), ...findings.map(findingActivity)];
  return all.toSorted((a, b) => rankOf(a) - rankOf(b) || (b.sinceMs ?? 0) - (a.sinceMs ?? 0));
}

function rankOf({ group }: Activity): number {
  return activityGroups.findIndex(([each]) => each === group);
}

/** A release that is deployed or gone is as it should be. */
function releaseActivity(release: OverviewRelease): readonly Activity[] {
  const state = stateOf(release);
  if (state === "ready" || state === "gone") return [];
  const { namespace, name, updatedAtMs, because = "" } = release;
  const group = state === "failed" ? "failing" : state === "progressing" ? "deploying" : "noted";
  return [
    {
      key: `release/${namespace}/${name}`,
      group,
      state,
      word: release.state,
      subject: { type: "release", release },
      because,
      sinceMs: updatedAtMs,
    },
  ];
}

const states = { failing: "failed", drift: "skipped", noted: "waiting" } as const;

function findingActivity(finding: OverviewFinding): Activity {
  const { severity, object, reason, message, sinceMs } = finding;
  return {
    key: JSON.stringify([severity, object, reason, message]),
    group: severity,
    state: states[severity],
    word: reason,
    subject: { type: "finding", finding },
    because: message,
    ...(sinceMs === undefined ? {} : { sinceMs }),
  };
}
