import type { OverviewRelease } from "../../../src/dashboard/api/index.ts";
import type { State } from "../../component/state-badge.tsx";

/** How the state of a revision is drawn. */
export function stateOf({ state }: Pick<OverviewRelease, "state">): State {
  if (state === "deployed") return "ready";
  if (state === "failed") return "failed";
  if (state.startsWith("pending") || state === "uninstalling") return "progressing";
  return state === "uninstalled" || state === "superseded" ? "gone" : "waiting";
}

const urgency: readonly State[] = ["failed", "progressing", "waiting", "ready", "gone"];

/** What has failed comes first, then what is at work; equals by their latest change. */
export function byUrgency(a: OverviewRelease, b: OverviewRelease): number {
  return urgency.indexOf(stateOf(a)) - urgency.indexOf(stateOf(b)) || b.updatedAtMs - a.updatedAtMs || nameOf(a).localeCompare(nameOf(b));
}

function nameOf({ namespace, name }: OverviewRelease): string {
  return `${namespace}/${name}`;
}

/** Whether a release has every word of a text in its name, its namespace or its state. */
export function matchesText(release: OverviewRelease, text: string): boolean {
  const whole = `${nameOf(release)} ${release.state}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
