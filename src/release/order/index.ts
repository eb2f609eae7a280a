/**
 * Reads from manifests where each belongs in a release: one normal form for every dialect.
 *
 * Pure. Each dialect is a file that turns annotations into claims; what comes after knows claims alone. It knows no
 * cluster and carries nothing out.
 */
export type { Claims, DeletePolicy, Gate, LogFilter, Need, Operation, Ordered, Property, Stage, Target, Tracking } from "./claim.ts";
export { parseDuration } from "./duration.ts";
export { compareKinds, inKindOrder } from "./kind-order.ts";
export { finder, type Find } from "./match.ts";
export { order, type Order, type OrderOptions } from "./order.ts";
export type { Scope } from "./scope.ts";
