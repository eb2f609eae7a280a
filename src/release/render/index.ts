/**
 * Renders charts as Helm does: executes templates with Sprig's and Helm's functions on the built-in objects (`.Values`,
 * `.Files`, `.Capabilities`), splits the output into manifests, hooks and notes, sorts them, and words errors as Helm
 * does.
 *
 * Pure: time, randomness and the results of `lookup` are passed in. It reads no files and knows no cluster.
 */
export { sortRendering, render, renderFiles, type RenderedFiles, type Rendering, type RenderChartOptions } from "./render.ts";
export { objectionToInstall } from "./objection-to-install.ts";
export { resolveQueries } from "./resolve-queries.ts";
export { resolveLookups, type LookupQuery } from "./resolve-lookups.ts";
export { resolveSchemas } from "./resolve-schemas.ts";
export { readRenderedManifests } from "./manifest/read-rendered-manifests.ts";
export { type RenderedHook } from "./manifest/sort-manifests.ts";
export { manifestText, templateFiles, templateText } from "./manifest/template-text.ts";
export { applyPostRender, type PostRender } from "./post-render.ts";
export { recordedChart, recordedValues } from "./recorded-chart.ts";
export type { Lookup } from "./functions/lookup.ts";
export { renderTemplates, type RenderTemplatesOptions } from "./render-templates.ts";
export { TemplateFault } from "./template-fault.ts";
export { helmFunctions } from "./functions/index.ts";
export { deterministicFunctions } from "./functions/deterministic-functions.ts";
export { capabilitiesValue, defaultApiVersions, defaultCapabilities, type Capabilities } from "./builtin-object/capabilities.ts";
export { filesValue } from "./builtin-object/files.ts";
export { readYamlMap } from "./yaml/read.ts";
export { valuesMap, valuesType } from "./builtin-object/values.ts";
