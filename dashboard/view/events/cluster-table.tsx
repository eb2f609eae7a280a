import { pathOf, type EventClusterItem } from "../../../src/dashboard/api/index.ts";
import { ListTable } from "../../component/list-table.tsx";
import { byUrgency } from "./event-filter.ts";
import { FlowBadge, FlowCounts } from "./flow-badges.tsx";

/** More rows than this are not drawn: a filter finds the rest. */
const maxRows = 50;

/** The clusters that triggers match, the most urgent first. Each leads to all flows of it. */
export function ClusterTable({ clusters, context }: { readonly clusters: readonly EventClusterItem[]; readonly context: string }) {
  if (clusters.length === 0) return null;
  return (
    <section aria-labelledby="clusters-title">
      <div class="section-head">
        <h2 id="clusters-title">Clusters</h2>
        <span class="quiet numeric">{clusters.length}</span>
      </div>
      <ListTable label="Clusters" class="clusters" columns={["State", "Cluster", "Triggers", "Matches"]} more={clusters.length - maxRows}>
        {clusters
          .toSorted(byUrgency)
          .slice(0, maxRows)
          .map(({ kind, namespace, name, state, counts, matches }) => (
            <tr key={`${kind}/${namespace}/${name}`}>
              <td>
                <FlowBadge state={state} />
              </td>
              <td>
                <a href={pathOf({ type: "events", context, cluster: { kind, namespace, name } })}>
                  {namespace}/{name}
                </a>
              </td>
              <td>
                <FlowCounts counts={counts} />
              </td>
              <td class="numeric">{matches}</td>
            </tr>
          ))}
      </ListTable>
    </section>
  );
}
