import { pathOf, type ProfileClusterItem, type ProfileContentItem, type ProfileDependencyItem } from "../../../src/dashboard/api/index.ts";
import { ListTable } from "../../component/list-table.tsx";
import { Nothing } from "../../component/nothing.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { queryOf, setQuery } from "../../location.ts";
import type { ViewItems } from "../../stream/view-items.ts";
import { ClusterLink } from "./failure-list.tsx";

const featureNames = { Helm: "Helm chart", Resources: "resources", Kustomize: "kustomization" } as const;

/** What the profile deploys, in its order. */
export function ContentList({ contents, items }: { readonly contents: readonly ProfileContentItem[]; readonly items: ViewItems }) {
  return (
    <section aria-labelledby="content-title">
      <div class="section-head">
        <h2 id="content-title">What it deploys</h2>
      </div>
      {contents.length === 0 ? (
        <Nothing items={items}>It deploys nothing.</Nothing>
      ) : (
        <ol class="findings">
          {contents
            .toSorted((a, b) => a.order - b.order)
            .map(({ order, feature, title, detail }) => (
              <li key={order}>
                <div class="finding-head">
                  <span class="quiet">{featureNames[feature]}</span> <b>{title}</b> <span class="quiet">{detail ?? ""}</span>
                </div>
              </li>
            ))}
        </ol>
      )}
    </section>
  );
}

/** The profiles that come before and after this one. */
export function DependencyList({
  dependencies,
  context,
}: {
  readonly dependencies: readonly ProfileDependencyItem[];
  readonly context: string;
}) {
  if (dependencies.length === 0) return null;
  return (
    <section aria-labelledby="dependencies-title">
      <div class="section-head">
        <h2 id="dependencies-title">Dependencies</h2>
      </div>
      <ul class="findings">
        {dependencies.map(({ profile, direction, exists, message }) => (
          <li key={`${direction} ${profile.name}`}>
            <div class="finding-head">
              <span class="quiet">{direction === "needs" ? "after" : "before"}</span>
              <a href={pathOf({ type: "profile", context, ...profile })}>{profile.name}</a>
              {exists ? null : <StateBadge state="failed" word="there is no such profile" />}
              {message === undefined ? null : <StateBadge state="failed" />}
            </div>
            {message === undefined ? null : <p class="reason">{message}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** More rows than this are not drawn: a filter finds the rest. */
const maxRows = 200;
const words = { updated: "updated", updating: "being updated", pending: "not begun", removing: "being withdrawn" } as const;

type ClusterTableProps = { readonly clusters: readonly ProfileClusterItem[]; readonly items: ViewItems; readonly context: string };

/** The clusters that the profile matches. */
export function ClusterTable({ clusters, items, context }: ClusterTableProps) {
  const text = queryOf("text").toLowerCase();
  const shown = clusters
    .filter(({ namespace, name, state, phase }) => `${namespace}/${name} ${state} ${words[phase]}`.toLowerCase().includes(text))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return (
    <section aria-labelledby="clusters-title">
      <div class="section-head">
        <h2 id="clusters-title">Clusters</h2>
        <span class="quiet numeric">{clusters.length}</span>
        <input
          class="field"
          type="search"
          aria-label="Filter clusters"
          placeholder="Filter by name, state"
          value={queryOf("text")}
          onInput={(event) => setQuery("text", event.currentTarget.value)}
        />
      </div>
      {clusters.length === 0 ? (
        <Nothing items={items}>It matches no cluster.</Nothing>
      ) : shown.length === 0 ? (
        <p class="empty">No cluster is as the filter says.</p>
      ) : (
        <ListTable
          label="Clusters"
          class="profile-clusters"
          columns={["State", "Cluster", "Roll-out", "ClusterSummary"]}
          more={shown.length - maxRows}
        >
          {shown.slice(0, maxRows).map((cluster) => (
            <tr key={cluster.key}>
              <td>
                <StateBadge state={cluster.state} />
              </td>
              <td>
                <ClusterLink cluster={cluster} context={context} />
              </td>
              <td class="nowrap">{words[cluster.phase]}</td>
              <td class="quiet">{cluster.summary ?? "none yet"}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  );
}
