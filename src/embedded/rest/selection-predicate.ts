import { parseFieldSelector, parseLabelSelector, type KubeObject } from "../../core/object/index.ts";
import { badRequestError } from "../status-error.ts";
import { strategyOf, type ServedResource } from "../apiserver/index.ts";

/** Which objects a request selects. */
export type SelectionPredicate = {
  readonly matches: (object: KubeObject) => boolean;
  /** Neither labels nor fields restrict it. */
  readonly all: boolean;
};

/** Refuses selectors that cannot be read, whatever fields the resource has. */
export function checkSelectors(query: URLSearchParams): void {
  parsed(() => parseLabelSelector(query.get("labelSelector") ?? ""));
  parsed(() => parseFieldSelector(query.get("fieldSelector") ?? ""));
}

/** Parses labelSelector and fieldSelector. */
export function selectionPredicateOf(resource: ServedResource, query: URLSearchParams): SelectionPredicate {
  const labels = parsed(() => parseLabelSelector(query.get("labelSelector") ?? ""));
  const fields = parsed(() => parseFieldSelector(query.get("fieldSelector") ?? ""));
  const more = strategyOf(resource).selectableFields;
  const own = Object.keys(more(blank(resource))).filter((field) => field !== "metadata.name");
  const isKnown = (field: string) =>
    field === "metadata.name" ||
    own.includes(field) ||
    (field === "metadata.namespace" && (resource.namespaced || (own.length === 0 && resource.custom === undefined)));
  for (const { field } of fields.requirements) if (!isKnown(field)) throw badRequestError(unknownField(resource, field, own.length > 0));

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
function unknownField({ key, custom }: ServedResource, field: string, ownFields: boolean): string {
  if (key === "jobs.batch") return `field label ${JSON.stringify(field)} not supported for Job`;
  if (key === "resourceslices.resource.k8s.io") return `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`;
  if (custom !== undefined || ownFields) return `field label not supported: ${field}`;
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
