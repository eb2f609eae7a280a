import { fieldsAt, numberAt, stringAt, type Fields } from "../../core/object/index.ts";
import { badRequestError, internalError, StatusError } from "../status-error.ts";
import {
  admissionResponseOf,
  admissionReviewFor,
  InvalidReviewError,
  reviewVersionOf,
  type AdmissionResponse,
} from "./admission-review.ts";
import type { ConfiguredWebhook, WebhookContext } from "./webhook-context.ts";
import { reviewIn, WebhookResponseError } from "./webhook-response.ts";
import type { Review, Reviewed } from "./webhook-runner.ts";
import { webhookCallTo, webhookTargetOf } from "./webhook-target.ts";

const defaultTimeoutSeconds = 10;

/** A webhook that could not be called, or answered what cannot be understood: its failure policy decides. */
export class WebhookCallError extends Error {
  /** The rejection of the write when the policy is Fail. */
  get rejection(): StatusError {
    return internalError(this.message);
  }
}

/** The failure of a call to the webhook of this name. Models apiserver pkg/util/webhook/error.go ErrCallingWebhook */
export function webhookCallError(name: string, why: string): WebhookCallError {
  return new WebhookCallError(`failed calling webhook ${JSON.stringify(name)}: ${why}`);
}

export function ignoresFailures({ webhook }: ConfiguredWebhook): boolean {
  return stringAt(webhook, "failurePolicy", "Fail") === "Ignore";
}

/** A dry run must have no side effects, and a webhook says whether it has. Throws a StatusError. */
export function checkSideEffects({ name, webhook }: ConfiguredWebhook, dryRun: boolean): void {
  if (!dryRun || ["None", "NoneOnDryRun"].includes(stringAt(webhook, "sideEffects", ""))) return;
  throw badRequestError(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}

/** The review that a webhook is sent. `round` tells a second review of the same write from the first. */
export function reviewOf(hook: ConfiguredWebhook, request: Fields, context: WebhookContext, round = 0): Review {
  const { id, webhook } = hook;
  const version = reviewVersionOf(hook.webhook);
  const target = webhookTargetOf(fieldsAt(webhook, "clientConfig"), (namespace, name) => context.read("services", namespace, name));
  const seconds = numberAt(webhook, "timeoutSeconds", defaultTimeoutSeconds);
  return {
    key: JSON.stringify([id, round, version, target, request]),
    call: (uid, leftMs) => {
      const timeoutMs = Math.min(seconds * 1000, leftMs);
      return webhookCallTo(target, timeoutMs, JSON.stringify(admissionReviewFor(version, uid, request)));
    },
  };
}

/** The decision in an answer. Throws a WebhookCallError. */
export function decisionIn(hook: ConfiguredWebhook, { uid, reply }: Reviewed, mutating: boolean): AdmissionResponse {
  const version = reviewVersionOf(hook.webhook);
  try {
    return admissionResponseOf(reviewIn(reply, { group: "admission.k8s.io", version, kind: "AdmissionReview" }), {
      version,
      uid,
      mutating,
    });
  } catch (cause) {
    if (cause instanceof WebhookResponseError) throw webhookCallError(hook.name, `failed to call webhook: ${cause.message}`);
    if (cause instanceof InvalidReviewError) throw webhookCallError(hook.name, `received invalid webhook response: ${cause.message}`);
    throw cause;
  }
}

/** The rejection by a webhook. Models apiserver pkg/admission/plugin/webhook/errors/statuserror.go */
export function deniedError(name: string, result: Fields = {}): StatusError {
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const [message, reason] = [stringAt(result, "message", ""), stringAt(result, "reason", "")];
  const why = message || reason;
  const details = result["details"] === undefined ? undefined : fieldsAt(result, "details");
  const code = numberAt(result, "code", 0);
  return new StatusError(code < 400 ? 400 : code, reason, why === "" ? `${denied} without explanation` : `${denied}: ${why}`, details);
}
