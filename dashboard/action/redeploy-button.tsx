import type { ActionRequest } from "../../src/dashboard/api/index.ts";
import { askAbout } from "./asked-action.ts";

type FleetRequest = Extract<ActionRequest, { type: "redeploy-cluster" | "redeploy-profile" }>;

/** Has the profiles of a cluster, or a profile, deployed again, after a question. */
export function RedeployButton({ context, request }: { readonly context: string; readonly request: FleetRequest }) {
  return (
    <button type="button" class="button" onClick={() => void askAbout(context, request)}>
      Redeploy…
    </button>
  );
}
