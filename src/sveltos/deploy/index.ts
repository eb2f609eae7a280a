/**
 * Deploys one profile to one cluster, as its ClusterSummary asks for it: content becomes manifests, which take the release
 * road (order, survey, plan, apply), and what became of it is kept in the ClusterSummary's status.
 *
 * Level-based: each use case takes things as they are, may be killed at any instant, and carries on when it is called
 * again. It does not know which clusters match, who depends on whom, what is watched or when to try again.
 */
export { owningProfile, type OwningProfile } from "./assignment.ts";
export { chartsFrom, type ChartSource } from "./charts/source.ts";
export { withoutProfile, withProfile } from "./configuration.ts";
export { deploy } from "./deploy.ts";
export { drifted, repair, type DriftOptions } from "./drift.ts";
export { statusOf, Superseded, writeStatus } from "./ledger.ts";
export { withdraw } from "./removal.ts";
export type { AddonOptions, AddonRequest, AddonSite, AddonStory, Outcome, ReadReference } from "./request.ts";
export { isAiling, reset } from "./status.ts";
export { checkedFor, deployedBy, type Checked, type Deployed } from "./watched.ts";
