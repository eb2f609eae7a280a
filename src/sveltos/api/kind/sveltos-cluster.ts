import {
  assumed,
  bytes,
  defaulted,
  integer,
  list,
  map,
  nonEmptyText,
  object,
  oneOf,
  optional,
  refused,
  withSchema,
  text,
  time,
  boolShape,
  type ValueOf,
} from "../shape/index.ts";
import { resourceSelectorShape } from "./resource-selector.ts";

const clusterCheck = object({ name: text(), resourceSelectors: list(resourceSelectorShape), condition: text() });

const providerRule = (provider: string, field: string) => ({
  rule: `(self.provider == '${provider}') == has(self.${field})`,
  message: `${field} must be set if, and only if, provider is ${provider}`,
});

const workloadIdentity = object(
  {
    provider: oneOf("AWS", "GCP", "Azure"),
    endpoint: nonEmptyText,
    caSecretRef: optional(object({ name: defaulted(text(), "") }, { atomic: true })),
    aws: optional(object({ clusterName: nonEmptyText, region: optional(text()), roleARN: optional(text()) })),
    gcp: optional(object({ clusterName: nonEmptyText, location: nonEmptyText, projectID: nonEmptyText })),
    azure: optional(
      object({
        clientID: nonEmptyText,
        tenantID: nonEmptyText,
        clusterName: optional(text()),
        resourceGroup: optional(text()),
        subscriptionID: optional(text()),
      }),
    ),
  },
  { rules: [providerRule("AWS", "aws"), providerRule("GCP", "gcp"), providerRule("Azure", "azure")] },
);

const tokenRequestRenewalOption = object({
  renewTokenRequestInterval: withSchema(text(), { description: "How often: 1h." }),
  kubeconfigKeyName: optional(text()),
  saName: optional(withSchema(text(), { description: "The ServiceAccount; that of the present token by default." })),
  saNamespace: optional(text()),
  tokenDuration: optional(withSchema(text(), { description: "How long a token is valid; twice the interval by default." })),
});
export type TokenRequestRenewalOption = ValueOf<typeof tokenRequestRenewalOption>;

export const sveltosClusterSpec = object(
  {
    kubeconfigName: optional(
      withSchema(text(), { description: "The Secret with the kubeconfig; <name>-sveltos-kubeconfig where it is not given." }),
    ),
    kubeconfigKeyName: optional(withSchema(text(), { description: "The key of that Secret; its first key where it is not given." })),
    paused: assumed(boolShape, false),
    data: optional(withSchema(map(text()), { description: "Values for templates, as .Cluster.spec.data." })),
    consecutiveFailureThreshold: defaulted(integer(), 3),
    activeWindow: refused(object({ from: nonEmptyText, to: nonEmptyText })),
    tokenRequestRenewalOption: optional(
      withSchema(tokenRequestRenewalOption, { description: "Renews the token of a ServiceAccount in the kubeconfig before it expires." }),
    ),
    readinessChecks: refused(list(clusterCheck)),
    livenessChecks: refused(list(clusterCheck)),
    pullMode: refused(withSchema(boolShape, { "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "Value is immutable" }] })),
    workloadIdentity: refused(workloadIdentity),
  },
  {
    rules: [
      {
        rule: "!has(self.workloadIdentity) || !has(self.kubeconfigName)",
        message: "workloadIdentity and kubeconfigName exclude each other",
      },
    ],
  },
);

export const sveltosClusterStatus = object({
  ready: optional(boolShape),
  version: optional(text()),
  connectionStatus: optional(oneOf("Healthy", "Down")),
  connectionFailures: defaulted(integer(), 0),
  failureMessage: optional(text()),
  agentLastReportTime: optional(time),
  activeWindowHash: optional(bytes),
  lastReconciledTokenRequestAt: optional(text()),
  nextPause: optional(time),
  nextUnpause: optional(time),
});
