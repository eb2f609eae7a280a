import {
  assumed,
  defaulted,
  integer,
  list,
  map,
  nonEmptyText,
  object,
  oneOf,
  optional,
  refused,
  text,
  boolShape,
  type SchemaRule,
  type ValueOf,
} from "../shape/index.ts";
import { valueFrom } from "./content-reference.ts";
import { secretReference } from "./reference.ts";

const options = object({
  atomic: defaulted(boolShape, false),
  skipCRDs: defaulted(boolShape, false),
  skipSchemaValidation: assumed(boolShape, false),
  timeout: optional(text()),
  wait: defaulted(boolShape, false),
  waitForJobs: defaulted(boolShape, false),
  dependencyUpdate: refused(boolShape, false),
  description: refused(text()),
  disableHooks: refused(boolShape, false),
  disableOpenAPIValidation: refused(boolShape, false),
  // Tunes Sveltos' Helm client, without effect on what is deployed.
  enableClientCache: defaulted(boolShape, false),
  labels: refused(map(text())),
  passCredentialsAll: refused(boolShape),
  postRenderStrategy: refused(oneOf("combined", "separate", "nohooks")),
  runTests: refused(boolShape),
  installOptions: optional(
    object({
      createNamespace: defaulted(boolShape, true),
      takeOwnership: assumed(boolShape, false),
      disableHooks: refused(boolShape),
      recoverAfterConsecutiveFailures: refused(integer(), 5),
      replace: refused(boolShape, true),
    }),
  ),
  upgradeOptions: optional(
    object({
      maxHistory: defaulted(integer(), 2),
      resetThenReuseValues: defaulted(boolShape, false),
      resetValues: defaulted(boolShape, false),
      reuseValues: defaulted(boolShape, false),
      subNotes: defaulted(boolShape, false),
      takeOwnership: assumed(boolShape, false),
      cleanupOnFail: refused(boolShape, false),
      disableHooks: refused(boolShape),
      force: refused(boolShape, false),
      recreate: refused(boolShape, false),
      upgradeCRDs: refused(boolShape, false),
    }),
  ),
  uninstallOptions: optional(
    object({
      keepHistory: optional(boolShape),
      deletionPropagation: refused(oneOf("orphan", "foreground", "background")),
      disableHooks: refused(boolShape),
    }),
  ),
});

/** A chart from a repository or registry must be named. For other sources the URL names it. */
const addressed = ["http", "oci"].flatMap((scheme) =>
  ["chartName", "chartVersion", "repositoryName"].map((field): SchemaRule => ({
    rule: `self.repositoryURL.startsWith('${scheme}') ? size(self.${field}) >= 1 : true`,
    message: `${field} must be set when repositoryURL begins with ${scheme}`,
    holds: (chart) => !String(chart["repositoryURL"]).startsWith(scheme) || (chart[field] ?? "") !== "",
  })),
);

export const helmChart = object(
  {
    repositoryURL: nonEmptyText,
    repositoryName: assumed(text(), ""),
    chartName: assumed(text(), ""),
    chartVersion: assumed(text(), ""),
    releaseName: nonEmptyText,
    releaseNamespace: nonEmptyText,
    helmChartAction: defaulted(oneOf("Install", "Uninstall"), "Install"),
    values: assumed(text(), ""),
    valuesFrom: assumed(list(valueFrom), []),
    options: optional(options),
    provenanceVerification: optional(object({ keyringSecretRef: secretReference })),
    registryCredentialsConfig: refused(
      object({
        ca: optional(secretReference),
        credentials: optional(secretReference),
        insecureSkipTLSVerify: optional(boolShape),
        key: optional(text()),
        plainHTTP: optional(boolShape),
      }),
    ),
    signatureVerification: refused(
      object({
        provider: oneOf("PublicKey", "Keyless"),
        secretRef: optional(secretReference),
        matchOIDCIdentity: optional(list(object({ issuer: nonEmptyText, subject: nonEmptyText }))),
      }),
    ),
  },
  { rules: addressed },
);
export type HelmChartRef = ValueOf<typeof helmChart>;
