import { pathOf, type EventClusterItem } from "../../../src/dashboard/api/index.ts";
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
      <div class="table-frame">
        <table class="list clusters">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Cluster</th>
              <th scope="col">Triggers</th>
              <th scope="col">Matches</th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
        {clusters.length > maxRows ? <p class="more quiet">{clusters.length - maxRows} more: filter to find them.</p> : null}
      </div>
    </section>
  );
}
