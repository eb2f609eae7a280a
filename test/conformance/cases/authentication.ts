import { httpGet, httpPost, namespacedPath, type ConformanceCase } from "../conformance-case.ts";

const group = "authentication.k8s.io/v1";
const token = namespacedPath("v1", "serviceaccounts", "default/token");
const tokenRequest = (spec: { readonly [field: string]: string | number | readonly string[] | { readonly [field: string]: string } }) => ({
  apiVersion: group,
  kind: "TokenRequest",
  spec,
});
const review = (spec: { readonly [field: string]: string | readonly string[] }) => ({ apiVersion: group, kind: "TokenReview", spec });
const reviews = `/apis/${group}/tokenreviews`;
const secrets = namespacedPath("v1", "secrets");
const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "holder" } };
const boundTo = (kind: string, name: string, uid = "") => ({
  boundObjectRef: { apiVersion: "v1", kind, name, ...(uid === "" ? {} : { uid }) },
});
const captured = { capture: { token: "status.token" }, show: ["metadata.name", "metadata.namespace", "metadata.managedFields", "spec"] };
const shown = { show: ["metadata.managedFields", "spec.audiences", "status"] };

/** Who makes a request, and the tokens of service accounts. */
export const authenticationCases: readonly ConformanceCase[] = [
  {
    id: "authentication/token-request",
    title: "a service account gets a token for an audience and a time",
    steps: [
      httpPost(token, {}, captured),
      httpPost(reviews, review({ token: "{token}" }), shown),
      httpPost(token, tokenRequest({ expirationSeconds: 700, audiences: ["vault", "other"] }), captured),
      httpPost(reviews, review({ token: "{token}", audiences: ["vault"] }), shown),
      httpPost(reviews, review({ token: "{token}" }), shown),
    ],
  },
  {
    id: "authentication/token-request-refused",
    title: "a token is refused by its time, its name, its account and what it is bound to",
    steps: [
      httpPost(token, tokenRequest({ expirationSeconds: 60 }), { expect: 422 }),
      httpPost(token, tokenRequest({ expirationSeconds: 5_000_000_000 }), { expect: 422 }),
      httpPost(token, { metadata: { name: "other" } }, { expect: 422 }),
      httpPost(token, { metadata: { namespace: "other" } }, { expect: 400 }),
      httpPost(token, { metadata: { uid: "0" } }, { expect: 409 }),
      httpPost(token, { apiVersion: "v1", kind: "Pod" }, { expect: 400 }),
      httpPost(namespacedPath("v1", "serviceaccounts", "nobody/token"), {}, { expect: 404 }),
      httpPost("/api/v1/namespaces/{ns}-absent/serviceaccounts/default/token", {}, { expect: 404 }),
      httpPost(token, tokenRequest(boundTo("ConfigMap", "kube-root-ca.crt")), { expect: 400 }),
      httpPost(token, tokenRequest(boundTo("Secret", "absent")), { expect: 404 }),
      httpPost(token, tokenRequest(boundTo("Pod", "absent")), { expect: 404 }),
      httpGet(token, { expect: 405 }),
    ],
  },
  {
    id: "authentication/token-bound",
    title: "a token is bound to the Secret of this uid",
    steps: [
      httpPost(secrets, secret, { show: [] }),
      httpPost(token, tokenRequest(boundTo("Secret", "holder", "0")), { expect: 409 }),
      httpPost(token, tokenRequest(boundTo("Secret", "holder")), captured),
      httpPost(reviews, review({ token: "{token}" }), shown),
    ],
  },
  {
    id: "authentication/token-bound-pod",
    title: "a token that is bound to a Pod names it",
    steps: [
      httpPost(
        namespacedPath("v1", "pods"),
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "one" },
          spec: { schedulerName: "nobody", containers: [{ name: "c", image: "example.com/good:1" }] },
        },
        { show: [] },
      ),
      httpPost(token, tokenRequest(boundTo("Pod", "one")), captured),
      httpPost(reviews, review({ token: "{token}" }), shown),
      httpPost(
        namespacedPath("v1", "serviceaccounts"),
        { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "other" } },
        { show: [] },
      ),
      httpPost(namespacedPath("v1", "serviceaccounts", "other/token"), tokenRequest(boundTo("Pod", "one")), { expect: 400 }),
    ],
  },
  {
    id: "authentication/token-review",
    title: "a review says why a token is not valid",
    steps: [
      httpPost(reviews, review({ token: "nothing" })),
      httpPost(reviews, review({}), { expect: 400 }),
      httpPost(reviews, review({ token: "a.b.c" })),
      httpGet(reviews, { expect: 405 }),
    ],
  },
];
