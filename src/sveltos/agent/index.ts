/**
 * The agent: evaluates events inside a managed cluster, where a controller cannot or should not watch from outside. It
 * follows the EventSources that a controller has put there and keeps an EventReport on each for the controller to fetch.
 *
 * It knows its own cluster only: no fleet, no trigger, no management cluster. Of several replicas one works, the others wait.
 */
export { runAgent, type AgentOptions } from "./run-agent.ts";
