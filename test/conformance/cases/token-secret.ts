import { httpDelete, httpGet, httpPost, mergePatch, namespacedPath, type CaseStep, type ConformanceCase } from "../conformance-case.ts";

const accounts = namespacedPath("v1", "serviceaccounts");
const secrets = namespacedPath("v1", "secrets");
const reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
const accountAnnotation = "kubernetes.io/service-account.name";
const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } };
const secretOf = (name: string, of: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  type: "kubernetes.io/service-account-token",
  metadata: { name, annotations: { [accountAnnotation]: of } },
});
/** Reviews the token until it is valid, or is not: a server validates it with caches that lag behind. */
const review = (authenticated: true | null, show = ["spec.audiences", "status"]) =>
  httpPost(
    reviews,
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "{token}" } },
    { show, until: { "status.authenticated": authenticated } },
  );

/** Creates the Secret, waits until its token is there, and captures it. */
const filled = (name: string): readonly CaseStep[] => [
  { watch: `${secrets}?watch=1&fieldSelector=metadata.name%3D${name}`, name },
  httpPost(secrets, secretOf(name, "robot"), { show: ["metadata.annotations", "type", "data"] }),
  { events: name, until: { count: 2 }, show: ["metadata.annotations", "type"] },
  httpGet(`${secrets}/${name}`, { capture: { token: "base64:data.token" }, show: [] }),
];

/** Tokens of service accounts that Secrets hold. A server believes a token for ten seconds, so each is found valid at most once. */
export const tokenSecretCases: readonly ConformanceCase[] = [
  {
    id: "authentication/token-secret",
    title: "a Secret for a service account gets a token, which marks its use and goes with the account",
    steps: [
      httpPost(accounts, account, { show: [] }),
      ...filled("plain"),
      review(true),
      httpGet(`${secrets}/plain`, { show: ["metadata.labels", "type"] }),
      mergePatch(`${accounts}/robot`, { secrets: [{ name: "listed" }] }, { show: ["secrets"] }),
      ...filled("listed"),
      review(true),
      ...filled("marked"),
      mergePatch(`${secrets}/marked`, { metadata: { labels: { "kubernetes.io/legacy-token-invalid-since": "2020-01-01" } } }, { show: [] }),
      review(null),
      httpGet(`${secrets}/marked`, { show: ["metadata.labels"] }),
      httpDelete(`${secrets}/listed`, undefined, { show: [] }),
      { waitFor: `${accounts}/robot`, until: { secrets: null }, show: ["secrets"] },
      httpDelete(`${accounts}/robot`, undefined, { show: [] }),
      { waitFor: `${secrets}/plain`, until: "gone" },
      { waitFor: `${secrets}/marked`, until: "gone" },
    ],
  },
  {
    id: "authentication/token-secret-ended",
    title: "a token ends with its Secret, with another token in it, and with its account",
    steps: [
      httpPost(accounts, account, { show: [] }),
      ...filled("deleted"),
      httpDelete(`${secrets}/deleted`, undefined, { show: [] }),
      review(null),
      ...filled("changed"),
      mergePatch(`${secrets}/changed`, { data: { token: "b3RoZXI=" } }, { show: [] }),
      review(null),
      ...filled("orphaned"),
      httpDelete(`${accounts}/robot`, undefined, { show: [] }),
      { waitFor: `${secrets}/orphaned`, until: "gone" },
      // Whether the account or the Secret is missed first depends on the caches.
      review(null, ["status.authenticated"]),
    ],
  },
  {
    id: "authentication/token-secret-absent",
    title: "a Secret for an account that is not there is removed, and one that names none is refused",
    steps: [
      { watch: `${secrets}?watch=1`, name: "secrets" },
      httpPost(secrets, secretOf("lost", "nobody"), { show: [] }),
      { events: "secrets", until: { count: 2 }, show: ["metadata.name", "type", "data"] },
      httpPost(secrets, { ...secretOf("unnamed", ""), metadata: { name: "unnamed" } }, { expect: 422 }),
    ],
  },
];
