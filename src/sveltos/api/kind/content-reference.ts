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
  partlyBuilt,
  refused,
  text,
  boolShape,
  type ValueOf,
} from "../shape/index.ts";
import { secretReference } from "./reference.ts";

const sourceKind = oneOf("GitRepository", "OCIRepository", "Bucket", "ConfigMap", "Secret");
const deploymentType = partlyBuilt(oneOf("Local", "Remote"), "Remote");

const remoteURL = {
  url: text({ pattern: "^(https?|oci)://" }),
  interval: optional(text()),
  secretRef: optional(secretReference),
  insecureSkipTLSVerify: optional(boolShape),
  plainHTTP: optional(boolShape),
};

const either = {
  rules: [
    {
      rule: "has(self.remoteURL) != has(self.kind)",
      message: "exactly one of kind and remoteURL must be set",
      holds: (ref: { readonly [key: string]: unknown }) => (ref["remoteURL"] === undefined) !== (ref["kind"] === undefined),
    },
  ],
};

/** The tier of a profile or a reference. The lower one wins a conflict. */
export const tier = integer({ format: "int32", minimum: 1 });

/** A ConfigMap or Secret whose content is deployed. */
export const policyRef = object(
  {
    kind: assumed(partlyBuilt(sourceKind, "ConfigMap", "Secret"), "ConfigMap"),
    namespace: assumed(text(), ""),
    name: assumed(text(), ""),
    deploymentType: defaulted(deploymentType, "Remote"),
    optional: assumed(boolShape, false),
    tier: assumed(tier, 100),
    skipNamespaceCreation: assumed(boolShape, false),
    path: refused(text()),
    force: refused(boolShape),
    remoteURL: refused(object({ ...remoteURL, template: optional(boolShape) })),
  },
  either,
);
export type PolicyRef = ValueOf<typeof policyRef>;

/** A ConfigMap or Secret with values for a chart; each key of its data is a document of its own. */
export const valueFrom = object({
  kind: oneOf("ConfigMap", "Secret"),
  namespace: assumed(text(), ""),
  name: nonEmptyText,
  optional: assumed(boolShape, false),
});
export type ValueFrom = ValueOf<typeof valueFrom>;

/** Only the schema is used: kustomizations are refused as a whole. */
export const kustomizationRef = object(
  {
    kind: optional(sourceKind),
    namespace: optional(text()),
    name: optional(text()),
    path: optional(text()),
    components: optional(list(text())),
    targetNamespace: optional(text({ minLength: 1, maxLength: 63 })),
    deploymentType: defaulted(oneOf("Local", "Remote"), "Remote"),
    optional: optional(boolShape),
    tier: optional(tier),
    force: optional(boolShape),
    skipNamespaceCreation: optional(boolShape),
    values: optional(map(text())),
    valuesFrom: optional(list(valueFrom)),
    remoteURL: optional(object(remoteURL)),
  },
  either,
);
