import type { Fields } from "../../core/object/index.ts";

/**
 * A chart for manifests that come from none: Helm's `list`, `get` and `rollback` want one with a name and a version.
 * A key that Helm writes as null or empty is written so here.
 */
export function plainChart(releaseName: string): Fields {
  return {
    metadata: { name: releaseName, version: "0.0.0", description: "Plain manifests", apiVersion: "v2", type: "application" },
    lock: null,
    templates: [],
    values: {},
    schema: null,
    schemamodtime: "0001-01-01T00:00:00Z",
    files: [],
  };
}
