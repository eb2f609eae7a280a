import type { ActionRequest, View } from "../api/index.ts";

/** The view in which what is asked for is seen. What a plan is about is known only when it is read. */
export function viewOfRequest(request: ActionRequest, context: string): View {
  switch (request.type) {
    case "rollback":
    case "redeploy":
      return { type: "release", context, namespace: request.namespace, name: request.name };
    case "redeploy-cluster":
      return { type: "cluster", context, kind: request.kind, namespace: request.namespace, name: request.name };
    case "redeploy-profile":
      return { type: "profile", context, kind: request.kind, namespace: request.namespace, name: request.name };
    case "plan":
      return { type: "actions", context };
  }
}
