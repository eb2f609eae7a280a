/**
 * What comes before what: orders, waves, cycles and chains of a graph of needs.
 *
 * All of it takes time linear in ids and edges, and never recurses. It has not heard of Kubernetes, of deploying or of
 * anything else that ids may stand for.
 */
export { someCycle } from "./cycle.ts";
export { CycleError, type Needs } from "./graph.ts";
export { topologicalOrder, waves } from "./topological-order.ts";
export { criticalPath, dependantsOf, needsOf } from "./reachability.ts";
