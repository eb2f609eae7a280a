import type { ActionHandler } from "../actions.ts";
import { maxPlanBytes } from "../api/index.ts";
import type { ActingVisitor, ActionRunner } from "./action-runner.ts";
import { readActionId, readPreviewRequest } from "./read-action-request.ts";

/** A plan is a string in the JSON of its request: line breaks and quotation marks take two bytes there. */
const maxPreviewBytes = 2 * maxPlanBytes;

/** What visitors can have done with POST `/api/c/CONTEXT/actions/NAME`, by name. */
export function actionHandlers(runner: ActionRunner): Readonly<Record<string, ActionHandler>> {
  return {
    preview: {
      maxBytes: maxPreviewBytes,
      run: async (body, at) => {
        const { id, action } = readPreviewRequest(body);
        return runner.preview(id, action, visitorOf(at), at.signal);
      },
    },
    start: { run: async (body, at) => runner.start(readActionId(body), visitorOf(at)) },
    dismiss: { run: async (body, at) => runner.listOf(visitorOf(at)).dismiss(readActionId(body)) },
  };
}

function visitorOf({ cluster, context, user }: Parameters<ActionHandler["run"]>[1]): ActingVisitor {
  return { key: user, user, context, cluster };
}
