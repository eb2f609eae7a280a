import { stringAt, type Fields } from "../../core/object/index.ts";

const description = "Plain manifests";

/**
 * A placeholder chart for plain manifests: Helm's `list`, `get` and `rollback` require a name and a version. Keys that
 * Helm writes as null or empty are written so here.
 */
export function placeholderChart(releaseName: string): Fields {
  return {
    metadata: { name: releaseName, version: "0.0.0", description, apiVersion: "v2", type: "application" },
    lock: null,
    templates: [],
    values: {},
    schema: null,
    schemamodtime: "0001-01-01T00:00:00Z",
    files: [],
  };
}

/** Whether a recorded chart stands for plain manifests. */
export function isPlaceholderChart(chart: Fields): boolean {
  return stringAt(chart, "metadata.version") === "0.0.0" && stringAt(chart, "metadata.description") === description;
}
