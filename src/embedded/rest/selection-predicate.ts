import { parseFieldSelector, parseLabelSelector, type KubeObject } from "../../core/object/index.ts";
import { badRequestError } from "../status-error.ts";
import { strategyOf, type ServedResource } from "../apiserver/index.ts";

/** Which objects a request selects. */
export type SelectionPredicate = {
  readonly matches: (object: KubeObject) => boolean;
  /** Neither labels nor fields restrict it. */
  readonly all: boolean;
};

/** Parses labelSelector and fieldSelector. */
export function selectionPredicateOf(resource: ServedResource, query: URLSearchParams): SelectionPredicate {
  const labels = parsed(() => parseLabelSelector(query.get("labelSelector") ?? ""));
  const fields = parsed(() => parseFieldSelector(query.get("fieldSelector") ?? ""));
  const more = strategyOf(resource).selectableFields;
  const general = resource.namespaced ? ["metadata.name", "metadata.namespace"] : ["metadata.name"];
  const known = new Set([...general, ...Object.keys(more(blank(resource)))]);
  for (const { field } of fields.requirements)
    if (!known.has(field)) throw badRequestError(unknownField(resource, field, known.size > general.length));

  const byLabels = labels.requirements.length > 0;
  const byFields = fields.requirements.length > 0;
  const valuesOf = (object: KubeObject) => ({
    "metadata.name": object.metadata.name,
    "metadata.namespace": object.metadata.namespace ?? "",
    ...more(object),
  });
  return {
    all: !byLabels && !byFields,
    matches: (object) => (!byLabels || labels.matches(object.metadata.labels ?? {})) && (!byFields || fields.matches(valuesOf(object))),
  };
}

/** The error differs between kinds. */
function unknownField({ key }: ServedResource, field: string, ownFields: boolean): string {
  if (key === "jobs.batch") return `field label ${JSON.stringify(field)} not supported for Job`;
  if (ownFields) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function blank({ kind, group, version }: ServedResource): KubeObject {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, metadata: { name: "" } };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw badRequestError(error instanceof Error ? error.message : String(error));
  }
}
