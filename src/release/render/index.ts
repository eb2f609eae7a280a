/**
 * Helm's templates: executes the texts of a chart with Sprig's and Helm's functions on the objects that templates see
 * (`.Values`, `.Files`, `.Capabilities`), and words errors as Helm does.
 *
 * Pure: time, chance and what `lookup` finds are handed in. It reads no chart and no values, and knows no cluster.
 */
export { renderTemplates, type Renderable, type RenderOptions } from "./render-templates.ts";
export { TemplateFault } from "./failure.ts";
export { helmFunctions, type HelmOptions } from "./functions/index.ts";
export { repeatableFunctions } from "./functions/repeatable.ts";
export { capabilitiesValue, defaultApiVersions, type Capabilities } from "./object/capabilities.ts";
export { filesValue } from "./object/files.ts";
export { readYamlMap } from "./yaml/read.ts";
export { valuesMap, valuesType } from "./object/values.ts";
