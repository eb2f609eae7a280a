import type { ActionItem, ActionPreview, ActionRequest, PreviewRequest, StartRequest } from "../../src/dashboard/api/index.ts";

/** What the server answers, or why it does not. */
export type Answered<T> = { readonly value: T } | { readonly problem: string };

/** An id that no other action has. */
export function newActionId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Asks what an action is going to do. */
export function previewAction(context: string, id: string, action: ActionRequest): Promise<Answered<ActionPreview>> {
  return post<PreviewRequest, ActionPreview>(context, "preview", { id, action });
}

/** Starts what was shown under an id. Asked twice, it is started once. */
export function startAction(context: string, id: string): Promise<Answered<ActionItem>> {
  return post<StartRequest, ActionItem>(context, "start", { id });
}

/** Puts an action away that has ended. */
export function dismissAction(context: string, id: string): Promise<Answered<unknown>> {
  return post<StartRequest, unknown>(context, "dismiss", { id });
}

async function post<B extends object, T>(context: string, verb: string, body: B): Promise<Answered<T>> {
  try {
    const path = `/api/c/${encodeURIComponent(context)}/actions/${verb}`;
    const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const content: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return { value: content as T };
    const { message } = content as { readonly message?: string };
    return { problem: message ?? `The dashboard answered ${answer.status}.` };
  } catch {
    return { problem: "The dashboard does not answer. Asking again is safe: what was started is not started twice." };
  }
}
