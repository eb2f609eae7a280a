/**
 * What the dashboard's server and its page say to each other: views by their paths, streams of items, and answers to requests.
 *
 * Plain data and pure functions: the page is bundled with this module, so it knows nothing of Node and clusters.
 */
export * from "./cluster-items.ts";
export * from "./profile-items.ts";
export * from "./events-items.ts";
export * from "./action.ts";
export * from "./release-items.ts";
export * from "./requests.ts";
export { stateAt } from "./state-at.ts";
export { outageNotice, refusedNotice, type Item, type ItemChange, type Notice, type StreamMessage } from "./stream-message.ts";
export type { OverviewFinding, OverviewFleet, OverviewRelease } from "./overview-items.ts";
export type { SessionInfo, SignInMode, SignInRequest } from "./session.ts";
export {
  cellStates,
  letterOf,
  noCell,
  cellStateAt,
  type CellState,
  type FleetClusterItem,
  type CellReading,
  type FleetKnownItem,
  type FleetProfileItem,
  type FleetReasonItem,
  type FleetRowItem,
} from "./fleet-items.ts";
export {
  pathOf,
  viewAt,
  type ActionsView,
  type ClusterView,
  type EventsView,
  type FleetView,
  type OverviewView,
  type ProfileView,
  type ReleaseView,
  type View,
} from "./view.ts";
