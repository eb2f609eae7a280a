import {
  assumed,
  defaulted,
  integer,
  list,
  map,
  name,
  object,
  oneOf,
  optional,
  refused,
  text,
  truth,
  type Rule,
  type ValueOf,
} from "../shape/index.ts";
import { valueFrom } from "./content-reference.ts";
import { secretReference } from "./reference.ts";

const options = object({
  atomic: defaulted(truth, false),
  skipCRDs: defaulted(truth, false),
  skipSchemaValidation: assumed(truth, false),
  timeout: optional(text()),
  wait: defaulted(truth, false),
  waitForJobs: defaulted(truth, false),
  dependencyUpdate: refused(truth, false),
  description: refused(text()),
  disableHooks: refused(truth, false),
  disableOpenAPIValidation: refused(truth, false),
  // How Sveltos keeps its client, which changes nothing that is deployed.
  enableClientCache: defaulted(truth, false),
  labels: refused(map(text())),
  passCredentialsAll: refused(truth),
  postRenderStrategy: refused(oneOf("combined", "separate", "nohooks")),
  runTests: refused(truth),
  installOptions: optional(
    object({
      createNamespace: defaulted(truth, true),
      takeOwnership: assumed(truth, false),
      disableHooks: refused(truth),
      recoverAfterConsecutiveFailures: refused(integer(), 5),
      replace: refused(truth, true),
    }),
  ),
  upgradeOptions: optional(
    object({
      maxHistory: defaulted(integer(), 2),
      resetThenReuseValues: defaulted(truth, false),
      resetValues: defaulted(truth, false),
      reuseValues: defaulted(truth, false),
      subNotes: defaulted(truth, false),
      takeOwnership: assumed(truth, false),
      cleanupOnFail: refused(truth, false),
      disableHooks: refused(truth),
      force: refused(truth, false),
      recreate: refused(truth, false),
      upgradeCRDs: refused(truth, false),
    }),
  ),
  uninstallOptions: optional(
    object({
      keepHistory: optional(truth),
      deletionPropagation: refused(oneOf("orphan", "foreground", "background")),
      disableHooks: refused(truth),
    }),
  ),
});

/** Charts from repositories and registries must say which; ones from other places have it in their address. */
const addressed = ["http", "oci"].flatMap((scheme) =>
  ["chartName", "chartVersion", "repositoryName"].map((field): Rule => ({
    rule: `self.repositoryURL.startsWith('${scheme}') ? size(self.${field}) >= 1 : true`,
    message: `${field} must be set when repositoryURL begins with ${scheme}`,
    holds: (chart) => !String(chart["repositoryURL"]).startsWith(scheme) || (chart[field] ?? "") !== "",
  })),
);

export const helmChart = object(
  {
    repositoryURL: name,
    repositoryName: assumed(text(), ""),
    chartName: assumed(text(), ""),
    chartVersion: assumed(text(), ""),
    releaseName: name,
    releaseNamespace: name,
    helmChartAction: defaulted(oneOf("Install", "Uninstall"), "Install"),
    values: assumed(text(), ""),
    valuesFrom: assumed(list(valueFrom), []),
    options: optional(options),
    provenanceVerification: refused(object({ keyringSecretRef: secretReference })),
    registryCredentialsConfig: refused(
      object({
        ca: optional(secretReference),
        credentials: optional(secretReference),
        insecureSkipTLSVerify: optional(truth),
        key: optional(text()),
        plainHTTP: optional(truth),
      }),
    ),
    signatureVerification: refused(
      object({
        provider: oneOf("PublicKey", "Keyless"),
        secretRef: optional(secretReference),
        matchOIDCIdentity: optional(list(object({ issuer: name, subject: name }))),
      }),
    ),
  },
  { rules: addressed },
);
export type HelmChartRef = ValueOf<typeof helmChart>;
export type HelmOptions = ValueOf<typeof options>;
