import { Fault } from "../../core/fault/index.ts";
import { isFields, numberAt, stringAt, type Fields } from "../../core/object/index.ts";
import type { ActionRequest, PreviewRequest } from "../api/index.ts";

/** Reads what the page sends to have an action shown. */
export function readPreviewRequest(body: unknown): PreviewRequest {
  return { id: readActionId(body), action: actionIn(isFields(body) ? body["action"] : undefined) };
}

/** The id that the page has made up for an action. */
export function readActionId(body: unknown): string {
  const id = stringAt(body, "id", "");
  if (!/^[\w-]{8,64}$/.test(id)) throw refused("it has no id of 8 to 64 letters, digits and dashes");
  return id;
}

function actionIn(action: unknown): ActionRequest {
  if (!isFields(action)) throw refused("it names no action");
  const type = stringAt(action, "type", "");
  switch (type) {
    case "rollback":
      return { type, ...releaseIn(action), to: revisionIn(action) };
    case "redeploy":
      return { type, ...releaseIn(action) };
    case "redeploy-cluster":
      return { type, kind: oneOf(action, "kind", ["SveltosCluster", "Cluster"]), ...releaseIn(action), ...profileIn(action) };
    case "redeploy-profile":
      return {
        type,
        kind: oneOf(action, "kind", ["ClusterProfile", "Profile"]),
        namespace: stringAt(action, "namespace", ""),
        name: textIn(action, "name"),
      };
    case "plan":
      return { type, file: textIn(action, "file"), text: textIn(action, "text") };
    default:
      throw refused(`there is no action ${JSON.stringify(type)}`);
  }
}

function releaseIn(action: Fields): { readonly namespace: string; readonly name: string } {
  return { namespace: textIn(action, "namespace"), name: textIn(action, "name") };
}

function profileIn(action: Fields): Pick<Extract<ActionRequest, { type: "redeploy-cluster" }>, "profile"> {
  const { profile } = action;
  if (!isFields(profile)) return {};
  return { profile: { kind: oneOf(profile, "kind", ["ClusterProfile", "Profile"]), name: textIn(profile, "name") } };
}

function revisionIn(action: Fields): number {
  const to = numberAt(action, "to") ?? 0;
  if (!Number.isSafeInteger(to) || to < 1) throw refused("to is not the number of a revision");
  return to;
}

function oneOf<T extends string>(action: Fields, field: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === action[field]);
  if (found === undefined) throw refused(`${field} is not ${choices.join(" or ")}`);
  return found;
}

function textIn(action: Fields, field: string): string {
  const text = stringAt(action, field, "");
  if (text === "") throw refused(`it has no ${field}`);
  return text;
}

function refused(why: string): Fault {
  return new Fault("read the request", why, { final: true });
}
