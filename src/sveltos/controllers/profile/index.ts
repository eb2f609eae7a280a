/**
 * Profiles: which clusters each ClusterProfile and Profile matches, one ClusterSummary for each of these, and what has
 * become of them in the profile's own status.
 *
 * It decides who gets what, and in which order clusters take a change (`maxUpdate`); it never looks into a managed
 * cluster. Deploying, and withdrawing what a deleted ClusterSummary stood for, is for whoever keeps ClusterSummaries.
 */
export { runProfileController } from "./run-profile-controller.ts";
