/**
 * Answers events: what clusters report becomes ClusterProfiles, and the ConfigMaps and Secrets that they refer to, as
 * EventTriggers and EventBasedAddOns ask for; how it went stands in the status of the trigger.
 *
 * What is to be made is decided elsewhere (see addon/instantiate). Here it is decided when to look, for which trigger and
 * cluster; changes are carried out and what came of them is told. It reads and writes the management cluster only: it
 * does not know how events are found in a cluster, nor how a profile is deployed.
 */
export { runTriggerController } from "./run-trigger-controller.ts";
