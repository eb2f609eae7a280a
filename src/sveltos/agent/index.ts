/**
 * The agent: evaluates events inside a managed cluster, where a controller cannot or should not watch from outside. It
 * writes an EventReport for each EventSource that a controller has created there; the controller collects them.
 *
 * It does not know the fleet, triggers or the management cluster. Of several replicas the leader works, the others wait.
 */
export { runAgent } from "./run-agent.ts";
