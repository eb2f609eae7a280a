import type { EventSourceItem } from "../../../src/dashboard/api/index.ts";
import { ListTable } from "../../component/list-table.tsx";
import { StateBadge } from "../../component/state-badge.tsx";

const words = { failed: "failing", waiting: "unused", ready: "evaluated" } as const;

/** The EventSources, one a row. Each leads to the triggers that name it. */
export function SourceTable({ sources, path }: { readonly sources: readonly EventSourceItem[]; readonly path: string }) {
  if (sources.length === 0) return null;
  const sorted = sources.toSorted((a, b) => Number(b.state === "failed") - Number(a.state === "failed") || a.name.localeCompare(b.name));
  return (
    <section aria-labelledby="sources-title">
      <div class="section-head">
        <h2 id="sources-title">EventSources</h2>
        <span class="quiet numeric">{sources.length}</span>
      </div>
      <ListTable label="EventSources" class="sources" columns={["State", "EventSource", "Selects", "Matches", "Triggers"]}>
        {sorted.map((source) => (
          <tr key={source.name}>
            <td>
              <StateBadge state={source.state} word={words[source.state]} />
            </td>
            <td>
              <a href={`${path}?${new URLSearchParams({ source: source.name })}`}>{source.name}</a>
              {source.because === undefined ? null : <p class="because">{becauseOf(source)}</p>}
            </td>
            <td class="quiet">{source.kinds.join(", ")}</td>
            <td class="numeric">{source.matches}</td>
            <td class="numeric">{source.triggers}</td>
          </tr>
        ))}
      </ListTable>
    </section>
  );
}

function becauseOf({ because = "", failing }: EventSourceItem): string {
  return failing > 1 ? `in ${failing} clusters: ${because}` : because;
}
