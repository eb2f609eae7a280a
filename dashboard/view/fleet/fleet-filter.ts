// The whole module is more than a page has to load.
import { parseLabelSelector } from "../../../src/core/object/label-selector.ts";
import { cellStates, type CellState, type FleetClusterItem, type FleetProfileItem } from "../../../src/dashboard/api/index.ts";

/** What of a fleet is shown, as the query of the address says it. */
export type FleetFilter = {
  /** Words of the names of clusters. */
  readonly text: string;
  readonly state?: CellState;
  readonly selector: string;
  /** Words of the names of profiles. */
  readonly profile: string;
  /** A label whose values group the clusters, or `namespace`; empty: no groups. */
  readonly group: string;
  /** The groups that are closed. */
  readonly closed: ReadonlySet<string>;
};

/** Sveltos' words for the states of features, which others link to. */
const synonyms: Readonly<Record<string, CellState>> = { provisioned: "ready", provisioning: "progressing", removing: "progressing" };

/** Reads a filter from the query of an address. */
export function filterOf(query: URLSearchParams): FleetFilter {
  const text = (name: string) => query.get(name) ?? "";
  const written = text("state");
  const state = cellStates.find((each) => each === written) ?? synonyms[written];
  return {
    text: text("text"),
    ...(state === undefined ? {} : { state }),
    selector: text("selector"),
    profile: text("profile"),
    group: text("group"),
    closed: new Set(query.getAll("closed")),
  };
}

/** A test by a label selector, or what is wrong with it. */
type SelectorTest = { readonly matches: (labels: Readonly<Record<string, string>>) => boolean; readonly problem?: string };

/** A selector that cannot be read selects everything, so that nothing vanishes while it is being written. */
export function selectorTest(text: string): SelectorTest {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    return { matches: () => true, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a cluster has every word of the text in its name, its namespace or its labels. */
export function matchesCluster({ namespace, name, labels }: FleetClusterItem, text: string): boolean {
  if (text.trim() === "") return true;
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return hasWords([`${namespace}/${name}`, ...pairs].join(" "), text);
}

/** Whether a profile has every word of the text in its name or its kind. */
export function matchesProfile({ kind, namespace, name }: FleetProfileItem, text: string): boolean {
  return text.trim() === "" || hasWords(`${kind}/${namespace}/${name}`, text);
}

function hasWords(whole: string, text: string): boolean {
  const lower = whole.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
