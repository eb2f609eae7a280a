/** The kinds that `sluice why` follows through a fleet. */
export const fleetKinds = ["ClusterProfile", "Profile", "EventTrigger", "EventBasedAddOn", "EventSource", "ClusterSummary"] as const;

export type FleetKind = (typeof fleetKinds)[number];
