import type { FleetClusterItem } from "../../../src/dashboard/api/index.ts";
import { setQuery } from "../../location.ts";
import { selectorTest, type FleetFilter } from "./fleet-filter.ts";
import { labelKeysOf, namespaceGroup } from "./matrix-lines.ts";

/** What is shown of the fleet. All of it is in the address, so that it can be sent to somebody. */
export function FleetFilters({ filter, clusters }: { readonly filter: FleetFilter; readonly clusters: readonly FleetClusterItem[] }) {
  const { problem } = selectorTest(filter.selector);
  return (
    <div class="fleet-filters" role="search" aria-label="Filter the fleet">
      <TextFilter name="text" label="Clusters" placeholder="Cluster: name or label" value={filter.text} />
      <TextFilter name="profile" label="Profiles" placeholder="Profile" value={filter.profile} />
      <TextFilter
        name="selector"
        label="Label selector"
        placeholder="Selector: env=prod,!old"
        value={filter.selector}
        {...(problem === undefined ? {} : { problem })}
      />
      <label class="group-by">
        <span class="quiet">Group by</span>
        <select class="field" value={filter.group} onChange={(event) => groupBy(event.currentTarget.value)}>
          <option value="">nothing</option>
          <option value={namespaceGroup}>namespace</option>
          {labelKeysOf(clusters).map((key) => (
            <option key={key} value={key}>
              {key}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function groupBy(label: string): void {
  setQuery("closed", undefined);
  setQuery("group", label);
}

type TextProps = {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly problem?: string;
};

function TextFilter({ name, label, placeholder, value, problem }: TextProps) {
  return (
    <input
      class="field"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      title={problem ?? ""}
      aria-invalid={problem !== undefined}
      onInput={(event) => setQuery(name, event.currentTarget.value)}
    />
  );
}
