/**
 * What the objects of a management cluster say of a fleet, for people: what is deployed where, what fails or is worth knowing,
 * what belongs to the same cause, and the chain from an event to the pod that does not start.
 *
 * It reads and changes nothing. It does not know how its answers are shown.
 */
export { addonsIn } from "./addons.ts";
export { clusterRefIn, compareClusters, isClusterCalled, requireCluster } from "./cluster-ref.ts";
export { concernsProfile } from "./concerns-profile.ts";
export { readDeployedObjects, unknownObjects } from "./deployed-objects.ts";
export { dryRunsIn } from "./dry-runs.ts";
export { commonText } from "./general-text.ts";
export { groupByCause } from "./group-occurrences.ts";
export { listReadable, listTriggersByProfile, requireProfile, unreadableText, type OnUnreadable } from "./list-readable.ts";
export { ManagedClusters } from "./managed-clusters.ts";
export type { Occurrence } from "./occurrence.ts";
export { filterOccurrences, occurrencesIn } from "./occurrences.ts";
export { ownerProfileOf } from "./owner-profile.ts";
export { matchesProfile, profileFilterText, type ProfileFilter } from "./profile-filter.ts";
export { profileKindOf } from "./profile-kind.ts";
export { occurrenceKinds, statusOccurrences } from "./status-occurrences.ts";
export { groupChains, type FleetChain } from "./why/fleet-chain.ts";
export { FleetChains } from "./why/fleet-chains.ts";
export { readFleetObjects, type FleetObjects } from "./why/fleet-objects.ts";
export { brokenLink } from "./why/link.ts";
