/**
 * Says what is to be deployed for an event: an EventTrigger and what a cluster reports become ClusterProfiles, and the
 * ConfigMaps and Secrets that they refer to, rendered with the data of the event.
 *
 * Pure: what exists goes in, what to change comes out, under names that stay from pass to pass. Time and chance are handed
 * in. It does not know how reports come about, how objects are read and written, or how a profile is deployed.
 */
export type { Change } from "./difference.ts";
export type { Reference } from "./drafting.ts";
export {
  eventSourceFor,
  instantiate,
  lineOfProblem,
  referencesOf,
  withdraw,
  type EventProblem,
  type InstantiateInput,
  type InstantiateWorld,
  type Instantiation,
} from "./instantiate.ts";
export { DraftMemory } from "./memory.ts";
export { resourceFunctions } from "./resource-functions.ts";
export { planSources, type SourcePlan, type SourcePlanInput } from "./source-plan.ts";
export { goValue } from "./unstructured.ts";
export { EventTemplates, templateFunctions, type Rendered, type RenderOptions } from "./templates.ts";
