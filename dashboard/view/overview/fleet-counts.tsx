import { cellStates, pathOf, type CellState, type OverviewFleet } from "../../../src/dashboard/api/index.ts";
import { StateShape } from "../../component/state-badge.tsx";

const words: Readonly<Record<CellState, string>> = {
  failed: "failing",
  waiting: "waiting",
  progressing: "deploying",
  skipped: "suspended",
  ready: "deployed",
};

/** What the fleet is made of, and how many deployments of profiles are in which state. Each number leads to them. */
export function FleetCounts({ fleet, context }: { readonly fleet: OverviewFleet; readonly context: string }) {
  const path = pathOf({ type: "fleet", context });
  const { clusters, down, profiles, triggers, deployments } = fleet;
  return (
    <section aria-labelledby="fleet-title">
      <div class="section-head">
        <h2 id="fleet-title">Fleet</h2>
      </div>
      <ul class="fleet-counts">
        <Count href={path} count={clusters} word={clusters === 1 ? "cluster" : "clusters"} />
        {down === 0 ? null : <Count href={path} count={down} word="not reached" state="failed" />}
        <Count href={path} count={profiles} word={profiles === 1 ? "profile" : "profiles"} />
        <Count href={pathOf({ type: "events", context })} count={triggers} word={triggers === 1 ? "trigger" : "triggers"} />
        {cellStates
          .filter((state) => (deployments[state] ?? 0) > 0)
          .map((state) => (
            <Count key={state} href={`${path}?state=${state}`} count={deployments[state] ?? 0} word={words[state]} state={state} />
          ))}
      </ul>
    </section>
  );
}

type CountProps = { readonly href: string; readonly count: number; readonly word: string; readonly state?: CellState };

function Count({ href, count, word, state }: CountProps) {
  return (
    <li class={state === undefined ? "" : `state-${state}`}>
      <a href={href}>
        {state === undefined ? null : <StateShape state={state} />}
        <b class="numeric">{count}</b> {word}
      </a>
    </li>
  );
}
