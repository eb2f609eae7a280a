import type { Fields, KubeObject } from "../../core/object/index.ts";
import { StatusError } from "../status-error.ts";
import {
  checkedConversion,
  ConversionError,
  conversionReviewFor,
  conversionReviewKind,
  conversionReviewVersionOf,
  convertedObjectsIn,
  titleOfKindIn,
} from "./conversion-review.ts";
import { reviewIn, WebhookResponseError } from "./webhook-response.ts";
import type { Reviewed, WebhookRunner } from "./webhook-runner.ts";
import { webhookCallTo, webhookTargetOf } from "./webhook-target.ts";

/** How long one review may take. Models apiserver pkg/util/webhook/authentication.go setGlobalDefaults */
const timeoutMs = 30_000;

/** The webhook that converts the objects of a CRD. */
export type ConversionWebhook = { readonly clientConfig: Fields; readonly reviewVersions: readonly string[] };

type ConversionContext = {
  readonly runner: WebhookRunner;
  read(resource: string, namespace: string, name: string): KubeObject | undefined;
};

/** How many characters the objects of one review have at most, unless it is one object: a webhook answers with about as many. */
const longestReview = 4 * 1024 * 1024;

/**
 * Objects in another version, by one review of all that are in a different one, or by several at once if these are many. Throws PendingWebhooks until the webhook has
 * answered, and a StatusError when it has not converted.
 */
export function convertByWebhook(
  objects: readonly KubeObject[],
  apiVersion: string,
  webhook: ConversionWebhook,
  { runner, read }: ConversionContext,
): readonly KubeObject[] {
  const parts = reviewedTogether(objects.filter((object) => object.apiVersion !== apiVersion));
  if (parts.length === 0) return objects;
  const version = conversionReviewVersionOf(webhook.reviewVersions);
  const target = webhookTargetOf(webhook.clientConfig, (namespace, name) => read("services", namespace, name));
  const answers = runner.answers(
    parts.map((part) => ({
      key: JSON.stringify(["conversion", version, target, apiVersion, part]),
      call: (uid, leftMs) =>
        webhookCallTo(target, Math.min(timeoutMs, leftMs), JSON.stringify(conversionReviewFor(version, uid, apiVersion, part))),
    })),
  );
  const converted = parts.flatMap((part, index) => conversionsIn(answers[index]!, part, apiVersion, version)).values();
  return objects.map((object) => (object.apiVersion === apiVersion ? object : converted.next().value!));
}

/** The objects of each review. */
function reviewedTogether(objects: readonly KubeObject[]): readonly (readonly KubeObject[])[] {
  const parts: KubeObject[][] = [];
  let length = longestReview;
  for (const object of objects) {
    length += JSON.stringify(object).length;
    if (length > longestReview) {
      parts.push([]);
      length = JSON.stringify(object).length;
    }
    parts.at(-1)!.push(object);
  }
  return parts;
}

function conversionsIn(
  { uid, reply }: Reviewed,
  objects: readonly KubeObject[],
  apiVersion: string,
  version: string,
): readonly KubeObject[] {
  try {
    const converted = convertedObjectsIn(reviewOf(reply, version), { version, uid });
    if (converted.length !== objects.length) throw new ConversionError(`returned ${converted.length} objects, expected ${objects.length}`);
    return objects.map((object, index) => checkedConversion(object, converted[index], apiVersion));
  } catch (cause) {
    if (!(cause instanceof ConversionError)) throw cause;
    throw new StatusError(500, "", `conversion webhook for ${titleOfKindIn(objects[0]!)} ${cause.message}`);
  }
}

function reviewOf(reply: Reviewed["reply"], version: string): Fields {
  try {
    return reviewIn(reply, conversionReviewKind(version));
  } catch (cause) {
    if (cause instanceof WebhookResponseError) throw new ConversionError(`failed: ${cause.message}`);
    throw cause;
  }
}
