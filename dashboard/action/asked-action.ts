import { effect, signal } from "@preact/signals";
import type { ActionPreview, ActionRequest } from "../../src/dashboard/api/index.ts";
import { address, goTo } from "../location.ts";
import { session } from "../session.ts";
import { newActionId, previewAction, startAction } from "./action-client.ts";

/** An action that the visitor is asked about. */
export type AskedAction = {
  readonly context: string;
  readonly id: string;
  /** Absent while the server works it out. */
  readonly preview?: ActionPreview;
  readonly isStarting?: boolean;
  /** Why it could not be shown or started. */
  readonly problem?: string;
};

/** What the dialog asks about; undefined while it is closed. */
export const askedAction = signal<AskedAction | undefined>(undefined);

/** What one visitor was asked is not for the next one to answer. */
effect(() => {
  if (session.value?.signedIn !== true) askedAction.value = undefined;
});

/** Opens the dialog for an action. */
export async function askAbout(context: string, request: ActionRequest): Promise<void> {
  const id = newActionId();
  askedAction.value = { context, id };
  const answer = await previewAction(context, id, request);
  if (askedAction.value?.id !== id) return;
  askedAction.value = "value" in answer ? { context, id, preview: answer.value } : { context, id, problem: answer.problem };
}

/** Opens the dialog for an action that the visitor has read already. */
export function askAgain(context: string, preview: ActionPreview): void {
  askedAction.value = { context, id: preview.id, preview };
}

/** Starts what the dialog asks about, closes it, and goes where the action is seen. */
export async function confirmAsked(): Promise<void> {
  const asked = askedAction.value;
  if (asked?.preview === undefined || asked.isStarting === true) return;
  const { context, id, preview } = asked;
  askedAction.value = { context, id, preview, isStarting: true };
  const answer = await startAction(context, id);
  if ("problem" in answer) {
    askedAction.value = { context, id, preview, problem: answer.problem };
    return;
  }
  askedAction.value = undefined;
  if (address.value.pathname !== answer.value.path) goTo(answer.value.path);
}

export function closeAsked(): void {
  askedAction.value = undefined;
}
