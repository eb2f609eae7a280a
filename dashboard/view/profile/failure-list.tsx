import { pathOf, type ProfileClusterItem } from "../../../src/dashboard/api/index.ts";
import { Nothing } from "../../component/nothing.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import type { ViewItems } from "../../stream/view-items.ts";
import type { FailureGroup } from "./failure-groups.ts";

/** So many clusters are named at once; the rest is behind a click. */
const shown = 6;

type Props = { readonly groups: readonly FailureGroup[]; readonly items: ViewItems; readonly context: string };

/** What is not ready, one entry for each reason, with the clusters that share it. */
export function FailureList({ groups, items, context }: Props) {
  return (
    <section aria-labelledby="failures-title">
      <div class="section-head">
        <h2 id="failures-title">What is not ready</h2>
        <span class="quiet numeric">{groups.length === 0 ? "" : `${groups.length} ${groups.length === 1 ? "reason" : "reasons"}`}</span>
      </div>
      {groups.length === 0 ? (
        <Nothing items={items}>It is ready in every cluster that it matches.</Nothing>
      ) : (
        <ul class="findings">
          {groups.map((group) => (
            <li key={`${group.state} ${group.reason}`}>
              <div class="finding-head">
                <StateBadge state={group.state} />
                <b class="numeric">{group.clusters.length === 1 ? "1 cluster" : `${group.clusters.length} clusters`}</b>
              </div>
              <p class="reason">{group.reason}</p>
              <ClusterNames clusters={group.clusters} context={context} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ClusterNames({ clusters, context }: { readonly clusters: readonly ProfileClusterItem[]; readonly context: string }) {
  const [first, rest] = [clusters.slice(0, shown), clusters.slice(shown)];
  return (
    <div class="cluster-names">
      {first.map((cluster) => (
        <ClusterLink key={cluster.key} cluster={cluster} context={context} />
      ))}
      {rest.length === 0 ? null : (
        <details>
          <summary>{rest.length} more</summary>
          {rest.map((cluster) => (
            <ClusterLink key={cluster.key} cluster={cluster} context={context} />
          ))}
        </details>
      )}
    </div>
  );
}

/** A cluster by its name. */
export function ClusterLink({ cluster, context }: { readonly cluster: ProfileClusterItem; readonly context: string }) {
  const { kind, namespace, name } = cluster;
  return <a href={pathOf({ type: "cluster", context, kind, namespace, name })}>{`${namespace}/${name}`}</a>;
}
