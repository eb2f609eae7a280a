/**
 * Graph algorithms on dependencies: topological order, waves, cycles and the critical path.
 *
 * All of it takes time linear in ids and edges, and never recurses. It knows nothing of Kubernetes or deploying.
 */
export { someCycle } from "./cycle.ts";
export { CycleError, type Needs } from "./graph.ts";
export { topologicalOrder, waves } from "./topological-order.ts";
export { criticalPath, dependantsOf, needsOf } from "./reachability.ts";
