import { apiVersionOf, fieldsAt, listAt, numberAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { clusterReferredTo, readEventSource } from "../../sveltos/api/index.ts";
import { statusOccurrences } from "../../sveltos/inspect/index.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";
import { troubleIn, type Trouble } from "./trouble.ts";

/** What an EventSource says of one cluster. */
type SourceInCluster = { readonly matches: number; readonly info: Fields };

/** What the view has of an EventSource. */
export type SourceOutline = {
  readonly name: string;
  /** `v1 Service`. */
  readonly kinds: readonly string[];
  /** What is wrong with it in all clusters. */
  readonly trouble?: Trouble;
  readonly inClusters: ReadonlyMap<string, SourceInCluster>;
  /** What is wrong with it in single clusters. */
  readonly troubles: ReadonlyMap<string, Trouble>;
  readonly object: KubeObject;
};

/** Reads an EventSource once, for all clusters. */
export function sourceOutlineOf(object: KubeObject): SourceOutline {
  const reading = readEventSource(object);
  const selectors = reading.state === "read" ? reading.value.selectors : [];
  const said = statusOccurrences(object);
  const trouble = troubleIn(said.filter(({ cluster }) => cluster === undefined));
  const byCluster = Map.groupBy(
    said.filter(({ cluster }) => cluster !== undefined),
    ({ cluster }) => clusterKeyOf(cluster!),
  );
  return {
    name: object.metadata.name,
    kinds: [...new Set(selectors.map((selector) => `${apiVersionOf(selector)} ${selector.kind}`))],
    ...(trouble === undefined ? {} : { trouble }),
    inClusters: new Map(listAt(object, "status.clusterInfo").flatMap(inCluster)),
    troubles: new Map([...byCluster].flatMap(([key, own]) => failureIn(key, troubleIn(own)))),
    object,
  };
}

/** A CEL rule that counts as false for an object is no failure. */
function failureIn(key: string, trouble: Trouble | undefined): readonly (readonly [string, Trouble])[] {
  return trouble?.state === "failed" ? [[key, trouble]] : [];
}

function inCluster(info: Fields): readonly (readonly [string, SourceInCluster])[] {
  const cluster = clusterReferredTo(fieldsAt(info, "cluster"));
  return cluster === undefined ? [] : [[clusterKeyOf(cluster), { matches: numberAt(info, "matchingResources", 0), info }]];
}
