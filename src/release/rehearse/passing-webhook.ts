import type { SendHttpsPost } from "../../core/exchange/index.ts";
import { listAt, stringAt, valueAt } from "../../core/object/index.ts";

/** Stands for every webhook, none of which is called in a rehearsal: it lets everything pass unchanged. */
export const passingWebhook: SendHttpsPost = async ({ body }) => {
  const review: unknown = JSON.parse(body);
  const answer = { apiVersion: stringAt(review, "apiVersion", ""), kind: stringAt(review, "kind", ""), response: responseTo(review) };
  return { status: 200, contentType: "application/json", body: JSON.stringify(answer) };
};

function responseTo(review: unknown): object {
  const uid = stringAt(review, "request.uid", "");
  if (stringAt(review, "kind") !== "ConversionReview") return { uid, allowed: true };
  const apiVersion = valueAt(review, "request.desiredAPIVersion");
  const convertedObjects = listAt(review, "request.objects").map((object) => ({ ...object, apiVersion }));
  return { uid, convertedObjects, result: { status: "Success" } };
}
