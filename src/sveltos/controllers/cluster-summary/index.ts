/**
 * Brings every ClusterSummary to its cluster: deploys what it asks for while it is there, withdraws it when it goes, puts
 * back what drifts, and keeps the cluster's ClusterConfiguration and the ClusterReports of dry runs.
 *
 * Each replica does so for the clusters that it attends to; one cluster is one lane, so that a slow or dead one costs the
 * others nothing. How something is deployed is `addon/deploy`'s to know, which clusters a profile is for `profiles`'.
 */
export { runSummaryController } from "./run-summary-controller.ts";
