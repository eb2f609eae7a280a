/**
 * A graph that is drawn from left to right: nodes in stages and ranks, edges with their gates.
 *
 * It knows nodes, edges and states; what they stand for is the view's.
 */
export type { GraphEdge, GraphNode } from "./graph-data.ts";
export { Graph } from "./graph.tsx";
