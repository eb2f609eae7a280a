/**
 * The server side of the dashboard: views of a cluster as streams of items, and the page that shows them.
 *
 * It knows clusters by the client of the visitor, and no sockets: it is a handler of requests, which `server` serves.
 */
export { actionHandlers } from "./action/action-handlers.ts";
export { ActionRunner } from "./action/action-runner.ts";
export { carryOnInterrupted } from "./action/carry-on-interrupted.ts";
export { createDashboard } from "./create-dashboard.ts";
export { CodeSignIn } from "./session/code-sign-in.ts";
export { TokenSignIn } from "./session/token-sign-in.ts";
export { Visitor } from "./visitor/visitor.ts";
