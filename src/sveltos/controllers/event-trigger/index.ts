/**
 * The trigger controller: generates ClusterProfiles, and the ConfigMaps and Secrets that they refer to, from EventReports, as
 * EventTriggers and EventBasedAddOns ask for, and writes the statuses of triggers.
 *
 * It decides when to reconcile which trigger for which cluster, and writes what `sveltos/instantiate` computes. It reads and
 * writes the management cluster only. It does not know how events are evaluated or how a profile is deployed.
 */
export { runTriggerController } from "./run-trigger-controller.ts";
