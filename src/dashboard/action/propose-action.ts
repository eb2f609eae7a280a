import { Fault } from "../../core/fault/index.ts";
import { viewOfRequest } from "./view-of-request.ts";
import type { ActionRequest } from "../api/index.ts";
import { proposeClusterRedeploy, proposeProfileRedeploy } from "./propose-fleet-action.ts";
import { proposePlanAction, proposeRedeployAction, proposeRollbackAction } from "./propose-release-action.ts";
import type { ActionContext, ProposedAction } from "./proposed-action.ts";

/** Settles an action in full, as the visitor, and changes nothing. What cannot be done is an action with refusals. */
export async function proposeAction(request: ActionRequest, at: ActionContext): Promise<ProposedAction> {
  try {
    return await propose(request, at);
  } catch (error) {
    if (!(error instanceof Fault) || at.signal.aborted) throw error;
    return refusedAction(request, at, error.message);
  }
}

function propose(request: ActionRequest, at: ActionContext): Promise<ProposedAction> {
  switch (request.type) {
    case "rollback":
      return proposeRollbackAction(request, at);
    case "redeploy":
      return proposeRedeployAction(request, at);
    case "plan":
      return proposePlanAction(request, at);
    case "redeploy-cluster":
      return proposeClusterRedeploy(request, at);
    case "redeploy-profile":
      return proposeProfileRedeploy(request, at);
  }
}

/** An action that cannot be done. */
function refusedAction(request: ActionRequest, { context }: ActionContext, because: string): ProposedAction {
  const name = request.type === "plan" ? request.file : `${request.namespace === "" ? "" : `${request.namespace}/`}${request.name}`;
  const [verb, title] =
    request.type === "rollback"
      ? ["Roll back", `Roll back ${name}`]
      : request.type === "plan"
        ? ["Run the plan", `Run the plan ${name}`]
        : ["Redeploy", `Redeploy ${name}`];
  return {
    preview: { title, verb, summary: [], steps: [], changes: [], leftOut: 0, warnings: [], refusals: [because] },
    view: viewOfRequest(request, context),
    run: async () => ({ state: "refused", because }),
  };
}
