import { pathOf, type OverviewRelease } from "../../../src/dashboard/api/index.ts";
import { ListTable } from "../../component/list-table.tsx";
import { RelativeTime } from "../../component/relative-time.tsx";
import { StateBadge } from "../../component/state-badge.tsx";
import { stateOf } from "./release-order.ts";

type Props = { readonly releases: readonly OverviewRelease[]; readonly context: string };

/** More rows than this are not drawn: a filter finds the rest. */
const maxRows = 200;

/** The releases, one a row. */
export function ReleaseTable({ releases, context }: Props) {
  if (releases.length === 0) return <p class="empty">No release is as the filter says.</p>;
  return (
    <ListTable
      label="Releases"
      class="releases"
      columns={["State", "Release", "Namespace", "Revision", "Changed", "Why"]}
      more={releases.length - maxRows}
    >
      {releases.slice(0, maxRows).map((release) => (
        <ReleaseRow key={`${release.namespace}/${release.name}`} release={release} context={context} />
      ))}
    </ListTable>
  );
}

function ReleaseRow({ release, context }: { readonly release: OverviewRelease; readonly context: string }) {
  const { namespace, name, revision, state, updatedAtMs, because = "" } = release;
  return (
    <tr>
      <td>
        <StateBadge state={stateOf(release)} word={state} />
      </td>
      <td>
        <a href={pathOf({ type: "release", context, namespace, name })}>{name}</a>
      </td>
      <td class="quiet">{namespace}</td>
      <td class="numeric">{revision}</td>
      <td class="quiet">
        <RelativeTime ms={updatedAtMs} />
      </td>
      <td class="because" title={because}>
        {because}
      </td>
    </tr>
  );
}
