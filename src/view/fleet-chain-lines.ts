import { titleOf } from "../core/object/index.ts";
import { clusterText, type FleetClusterRef } from "./fleet.ts";
import type { Paint } from "./step-progress-line.ts";
import { oneLine } from "./table.ts";
import { plainLine } from "./text-width.ts";

/** One link of the chain from an event to a pod. */
export type ChainLink = {
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** `waiting`: nothing is wrong with it, and yet what follows cannot happen. `unknown`: it could not be looked at. */
  readonly state: "ok" | "waiting" | "broken" | "unknown";
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
  /** What the containers of a failed pod have written, and the Events about it. */
  readonly details?: readonly string[];
};

/** A chain, and all clusters and events in which it is the same. The links are those of the first. */
export type ChainOutline = {
  readonly clusters: readonly FleetClusterRef[];
  /** How many events it is the same for. Default: one, or none. */
  readonly events?: number;
  /** The first link that is not ok, as an index; undefined when all are. */
  readonly brokenAt?: number;
  readonly links: readonly ChainLink[];
};

const maxChains = 10;
const namedClusters = 3;

/** The chains of an object: in which clusters, every link, the first that is broken, and what to do. */
export function fleetChainLines(title: string, chains: readonly ChainOutline[], paint: Paint): readonly string[] {
  const more = chains.length - maxChains;
  const lines = chains
    .slice(0, maxChains)
    .flatMap((chain) => [
      paint.strong(headOf(title, chain)),
      ...chain.links.flatMap((link, at) => linkLines(link, at === chain.brokenAt, paint)),
      "",
    ]);
  return [...lines.slice(0, -1), ...(more > 0 ? ["", `and ${more} more chains: --cluster narrows it, -o json shows all`] : [])];
}

function headOf(title: string, { clusters, events = 1, brokenAt, links }: ChainOutline): string {
  const named = clusters.slice(0, namedClusters).map(clusterText).join(", ");
  const count = clusters.length > namedClusters ? `, … (${clusters.length} clusters)` : "";
  const all = events > 1 ? `, for ${events} events such as this` : "";
  const where = clusters.length === 0 ? title : `${title} in ${named}${count}${all}`;
  const link = brokenAt === undefined ? undefined : links[brokenAt];
  if (link === undefined) return `${where}: nothing is wrong`;
  return `${where}: ${verbs[link.state]} ${linkTitle(link)}`;
}

const verbs = { broken: "is broken at", waiting: "waits at", unknown: "is not known beyond", ok: "is at" } as const;

function linkTitle({ object }: ChainLink): string {
  return `${titleOf(object)}${object.namespace === "" ? "" : ` in ${object.namespace}`}`;
}

const width = 9;
const margin = " ".repeat(width);

/** What merely waits for a link before it needs no advice. */
function linkLines(link: ChainLink, isFirst: boolean, paint: Paint): readonly string[] {
  const { state, message, advice, details = [] } = link;
  const painted = { ok: paint.good, waiting: paint.warn, broken: paint.bad, unknown: paint.warn }[state](state.padEnd(width));
  return [
    `  ${painted}${linkTitle(link)}${message === "" ? "" : `: ${plainLine(oneLine(message))}`}`,
    ...details.map((line) => `  ${margin}${paint.dim(`| ${plainLine(line)}`)}`),
    ...(advice === undefined || (state !== "broken" && !isFirst) ? [] : [`  ${margin}what to do: ${advice}`]),
  ];
}
