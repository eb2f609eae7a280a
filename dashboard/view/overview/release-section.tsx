import type { OverviewRelease } from "../../../src/dashboard/api/index.ts";
import { StateBadge, type State } from "../../component/state-badge.tsx";
import { queryOf, setQuery } from "../../location.ts";
import { byUrgency, matchesText, stateOf } from "./release-order.ts";
import { ReleaseTable } from "./release-table.tsx";

/** All releases: counted by state, and found by name. Filters are in the address. */
export function ReleaseSection({ releases, context }: { readonly releases: readonly OverviewRelease[]; readonly context: string }) {
  const [text, state] = [queryOf("text"), queryOf("state")];
  const shown = releases.filter((release) => matchesText(release, text) && (state === "" || release.state === state)).toSorted(byUrgency);
  return (
    <section aria-labelledby="releases-title">
      <div class="section-head">
        <h2 id="releases-title">Releases</h2>
        <div class="chips" role="group" aria-label="Filter releases by state">
          {countsOf(releases).map(([word, badge, count]) => (
            <button
              key={word}
              type="button"
              class="chip"
              aria-pressed={state === word}
              onClick={() => setQuery("state", state === word ? undefined : word)}
            >
              <StateBadge state={badge} word={`${count} ${word}`} />
            </button>
          ))}
        </div>
        <input
          class="field"
          type="search"
          placeholder="Filter by name, namespace, state"
          aria-label="Filter releases"
          value={text}
          onInput={(event) => setQuery("text", event.currentTarget.value)}
        />
      </div>
      <ReleaseTable releases={shown} context={context} />
    </section>
  );
}

function countsOf(releases: readonly OverviewRelease[]): readonly (readonly [word: string, badge: State, count: number])[] {
  return [...Map.groupBy(releases, ({ state }) => state)]
    .map(([word, own]) => [word, stateOf(own[0]!), own.length] as const)
    .toSorted(([a], [b]) => a.localeCompare(b));
}
