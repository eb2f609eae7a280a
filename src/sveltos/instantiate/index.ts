/**
 * Instantiates EventTriggers: from a trigger and the EventReport of a cluster come ClusterProfiles, and the ConfigMaps and
 * Secrets that they reference, rendered with the data of the event.
 *
 * Pure but for `IsolatedTemplates`: it takes the existing objects and returns the changes. Generated names stay the same from pass to pass. The caller
 * passes the clock and randomness. It does not know how reports are collected, how objects are read and written, or how a
 * profile is deployed.
 */
export { deleteChangeOf, type DesiredChange } from "./diff-generated.ts";
export type { HubReference } from "./occurrence-builder.ts";
export {
  eventSourceFor,
  instantiate,
  lineOfProblem,
  referencesOf,
  withdrawTrigger,
  type EventProblem,
  type InstantiateInput,
  type InstantiateEnvironment,
  type Instantiation,
} from "./instantiate.ts";
export { InstantiationCache } from "./instantiation-cache.ts";
export { resourceFunctions } from "./resource-functions.ts";
export { planEventSources, type EventSourcePlan, type EventSourcePlanInput } from "./plan-event-sources.ts";
export { unstructuredOf } from "./unstructured.ts";
export { EventTemplates, templateFunctions, templateProblem, type EventRenderOptions, type TextRenderer } from "./event-templates.ts";
export { IsolatedTemplates, renderTextsTask } from "./isolated-templates.ts";
