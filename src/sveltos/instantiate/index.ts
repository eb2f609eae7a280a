/**
 * Says what is to be deployed for an event: an EventTrigger and what a cluster reports become ClusterProfiles, and the
 * ConfigMaps and Secrets that they refer to, rendered with the data of the event.
 *
 * Pure: what exists goes in, what to change comes out, under names that stay from pass to pass. Time and chance are handed
 * in. It does not know how reports come about, how objects are read and written, or how a profile is deployed.
 */
export type { DesiredChange } from "./diff-generated.ts";
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
export { EventTemplates, templateFunctions, type Rendered, type EventRenderOptions } from "./event-templates.ts";
