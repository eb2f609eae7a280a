/**
 * Renders charts as Helm does: executes their templates with Sprig's and Helm's functions on the objects that templates see
 * (`.Values`, `.Files`, `.Capabilities`), parts what comes out into manifests, hooks and notes, sorts them, and words errors
 * as Helm does.
 *
 * Pure: time, chance and what `lookup` finds are handed in. It reads no file and knows no cluster.
 */
export { arrange, render, renderFiles, type RenderedFiles, type Rendering, type RenderingOptions } from "./render.ts";
export type { ReleaseFacts } from "./context.ts";
export { objectionToInstall } from "./installable.ts";
export { withAnswers, type Question } from "./lookup-rounds.ts";
export { readRendering, type ChartManifests } from "./manifest/read.ts";
export { ManifestFault, type RenderedHook, type RenderedManifest } from "./manifest/sort.ts";
export { manifestText, templateText, type TextOptions } from "./manifest/text.ts";
export { postRendered, type PostRender } from "./post-render.ts";
export { recordedChart, recordedValues } from "./recorded-chart.ts";
export type { Lookup } from "./functions/lookup.ts";
export { renderTemplates, type Renderable, type RenderOptions } from "./render-templates.ts";
export { TemplateFault } from "./failure.ts";
export { helmFunctions, type HelmOptions } from "./functions/index.ts";
export { repeatableFunctions } from "./functions/repeatable.ts";
export { capabilitiesValue, defaultApiVersions, defaultCapabilities, type Capabilities } from "./object/capabilities.ts";
export { filesValue } from "./object/files.ts";
export { readYamlMap } from "./yaml/read.ts";
export { valuesMap, valuesType } from "./object/values.ts";
