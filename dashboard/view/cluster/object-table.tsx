import { pathOf, type DeployedObjectItem } from "../../../src/dashboard/api/index.ts";
import { ListTable } from "../../component/list-table.tsx";
import { Nothing } from "../../component/nothing.tsx";
import { StateBadge, type State } from "../../component/state-badge.tsx";
import { queryOf, setQuery } from "../../location.ts";
import type { ViewItems } from "../../stream/view-items.ts";

const states: Readonly<Record<DeployedObjectItem["health"], State>> = {
  failed: "failed",
  missing: "failed",
  progressing: "progressing",
  unknown: "waiting",
  listed: "waiting",
  ready: "ready",
};
const order: readonly DeployedObjectItem["health"][] = ["failed", "missing", "progressing", "unknown", "listed", "ready"];
/** More rows than this are not drawn: a filter finds the rest. */
const maxRows = 200;

type Props = { readonly objects: readonly DeployedObjectItem[]; readonly items: ViewItems; readonly context: string };

/** What profiles have deployed in the cluster, and how it is doing there. */
export function ObjectTable({ objects, items, context }: Props) {
  const text = queryOf("object").toLowerCase();
  const shown = objects.filter((object) => nameOf(object).toLowerCase().includes(text)).toSorted(byHealth);
  return (
    <section aria-labelledby="objects-title">
      <div class="section-head">
        <h2 id="objects-title">Objects</h2>
        <span class="quiet numeric">{countsText(objects)}</span>
        <input
          class="field"
          type="search"
          aria-label="Filter objects"
          placeholder="Filter by kind, namespace, name"
          value={queryOf("object")}
          onInput={(event) => setQuery("object", event.currentTarget.value)}
        />
      </div>
      {objects.length === 0 ? (
        <Nothing items={items}>Nothing is deployed here.</Nothing>
      ) : shown.length === 0 ? (
        <p class="empty">No object is as the filter says.</p>
      ) : (
        <ListTable label="Objects" class="objects" columns={["Health", "Object", "From", "Why"]} more={shown.length - maxRows}>
          {shown.slice(0, maxRows).map((object) => (
            <ObjectRow key={`${object.location} ${object.group} ${nameOf(object)}`} object={object} context={context} />
          ))}
        </ListTable>
      )}
    </section>
  );
}

function ObjectRow({ object, context }: { readonly object: DeployedObjectItem; readonly context: string }) {
  const { kind, namespace, name, health, message = "", profiles, release, location } = object;
  return (
    <tr>
      <td>
        <StateBadge state={states[health]} word={health === "listed" ? "not asked yet" : health} />
      </td>
      <td>
        <span class="quiet">{kind}</span> {namespace === "" ? name : `${namespace}/${name}`}
        {location === "Local" ? <span class="quiet"> (management cluster)</span> : null}
      </td>
      <td>
        {profiles.map((profile) => (
          <a key={profile.name} class="from" href={pathOf({ type: "profile", context, ...profile })}>
            {profile.name}
          </a>
        ))}
        {release === undefined ? null : <span class="quiet"> release {release.name}</span>}
      </td>
      <td class="because quiet" title={message}>
        {message}
      </td>
    </tr>
  );
}

function nameOf({ kind, namespace, name }: DeployedObjectItem): string {
  return `${kind} ${namespace}/${name}`;
}

function byHealth(a: DeployedObjectItem, b: DeployedObjectItem): number {
  return order.indexOf(a.health) - order.indexOf(b.health) || nameOf(a).localeCompare(nameOf(b));
}

function countsText(objects: readonly DeployedObjectItem[]): string {
  const counts = Map.groupBy(objects, ({ health }) => health);
  const words = order.flatMap((health) =>
    counts.has(health) ? [`${counts.get(health)!.length} ${health === "listed" ? "not asked yet" : health}`] : [],
  );
  return words.join(" · ");
}
