/**
 * Reads the order of a release from the annotations of its manifests, in one normal form for every dialect.
 *
 * Pure. Each dialect is a file that turns annotations into ordering constraints; the planner knows constraints only. It
 * knows no cluster and changes nothing.
 */
export type {
  OrderingConstraints,
  DeletePolicy,
  Gate,
  LogFilter,
  Need,
  Operation,
  Ordered,
  Property,
  Stage,
  NeedTarget,
  Tracking,
} from "./ordering-constraints.ts";
export { parseDuration } from "./parse-duration.ts";
export { compareStages } from "./stage-order.ts";
export { compareKinds, inKindOrder } from "./kind-order.ts";
export { matchesKind, parseResourceArg } from "./resource-arg.ts";
export { sensitivityIn } from "./sensitivity-in.ts";
export { targetFinder, type TargetFinder } from "./target-finder.ts";
export { order } from "./order.ts";
export { isKeepPolicy } from "./helm-dialect.ts";
export type { ResourceScope } from "./resource-scope.ts";
