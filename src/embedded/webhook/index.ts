/**
 * Webhooks: programs outside of the cluster that take part in admission and in the conversion of custom resources.
 *
 * It decides which of them are called, with which review, and what their answers mean. It opens no socket: `SendHttpsPost` does. The
 * API server is synchronous and webhooks are not, so work that needs an answer is run again when the answer is there (`Replay`).
 */
export { convertByWebhook, type ConversionWebhook } from "./convert-by-webhook.ts";
export { mutatingWebhooks } from "./mutating-webhooks.ts";
export { validatingWebhooks } from "./validating-webhooks.ts";
export { longestWriteMs, PendingWebhooks, Replay } from "./replay.ts";
export type { WebhookContext } from "./webhook-context.ts";
export { DeadlineExceeded, WebhookRunner } from "./webhook-runner.ts";
