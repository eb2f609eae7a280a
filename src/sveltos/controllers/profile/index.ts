/**
 * The profile controller: matches each ClusterProfile and Profile with clusters, writes one ClusterSummary for each match, and
 * collects their results in the status of the profile.
 *
 * It decides in which order clusters are updated (`maxUpdate`). It does not know the contents of managed clusters: the
 * ClusterSummary controller deploys and withdraws.
 */
export { runProfileController } from "./run-profile-controller.ts";
