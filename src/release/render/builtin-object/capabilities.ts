import { GoList, GoStruct, Pointer, goMethod, namedType, structType, toBytes, types, type GoValue } from "../../../lang/template/index.ts";

/** What templates see as `.Capabilities`. */
export type Capabilities = {
  /** `v1.36.0`, with a vendor's suffix if any. */
  readonly kubeVersion: string;
  /** `apps/v1`, and from a cluster also `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
  readonly helmVersion: { readonly version: string; readonly goVersion: string; readonly kubeClientVersion: string };
};

const kubeVersionShape = structType({ Version: types.string, normalizedVersion: types.string, Major: types.string, Minor: types.string });
const kubeVersionType = namedType("common.KubeVersion", kubeVersionShape, {
  pointerMethods: {
    String: goMethod("func() string", (version: GoValue) => fieldOf(version, "normalizedVersion")),
    GitVersion: goMethod("func() string", (version: GoValue) => fieldOf(version, "Version")),
  },
});

const versionSetType = namedType("common.VersionSet", types.stringList, {
  methods: { Has: goMethod("func(string) bool", (set: GoList, version: string) => set.items.includes(version)) },
});

const buildInfoType = namedType(
  "version.BuildInfo",
  structType({
    Version: types.string,
    GitCommit: types.string,
    GitTreeState: types.string,
    GoVersion: types.string,
    KubeClientVersion: types.string,
  }),
  { methods: { MarshalJSON: goMethod("func() ([]uint8, error)", buildInfoJson) } },
);

const capabilitiesType = namedType(
  "common.Capabilities",
  structType({ KubeVersion: kubeVersionType, APIVersions: versionSetType, HelmVersion: buildInfoType }),
);

export function capabilitiesValue({ kubeVersion, apiVersions, helmVersion }: Capabilities): Pointer {
  const { version, goVersion, kubeClientVersion } = helmVersion;
  const struct = new GoStruct(
    capabilitiesType,
    {
      KubeVersion: kubeVersionValue(kubeVersion),
      APIVersions: new GoList(versionSetType, apiVersions),
      HelmVersion: new GoStruct(
        buildInfoType,
        { Version: version, GitCommit: "", GitTreeState: "", GoVersion: goVersion, KubeClientVersion: kubeClientVersion },
        { addressable: true },
      ),
    },
    { addressable: true },
  );
  return new Pointer(capabilitiesType.pointerTo, struct);
}

function kubeVersionValue(text: string): GoStruct {
  const [Major = "0", Minor = "0"] = numbersIn(text);
  const fields = { Version: text.startsWith("v") ? text : `v${text}`, normalizedVersion: normalizedVersion(text), Major, Minor };
  return new GoStruct(kubeVersionType, fields, { addressable: true });
}

/** The version without a vendor's suffix, for printing and for comparing with a chart's kubeVersion. */
export function normalizedVersion(text: string): string {
  const [major = "0", minor = "0", patch = "0", ...more] = numbersIn(text);
  return `v${[major, minor, patch, ...more].join(".")}`;
}

function numbersIn(version: string): string[] {
  return (/^v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? "0").split(".");
}

function fieldOf(value: GoValue, name: string): GoValue {
  const struct = value instanceof Pointer ? value.target : value;
  return struct instanceof GoStruct ? struct.field(name) : "";
}

function buildInfoJson(info: GoStruct): Uint8Array {
  const written = {
    version: info.field("Version"),
    go_version: info.field("GoVersion"),
    kube_client_version: info.field("KubeClientVersion"),
  };
  return toBytes(JSON.stringify(written));
}

/** The API versions that Helm 4.2 assumes without a cluster. */
export const defaultApiVersions: readonly string[] = [
  "v1",
  "admissionregistration.k8s.io/v1",
  "admissionregistration.k8s.io/v1alpha1",
  "admissionregistration.k8s.io/v1beta1",
  "internal.apiserver.k8s.io/v1alpha1",
  "apps/v1",
  "apps/v1beta1",
  "apps/v1beta2",
  "authentication.k8s.io/v1",
  "authentication.k8s.io/v1alpha1",
  "authentication.k8s.io/v1beta1",
  "authorization.k8s.io/v1",
  "authorization.k8s.io/v1beta1",
  "autoscaling/v1",
  "autoscaling/v2",
  "batch/v1",
  "batch/v1beta1",
  "certificates.k8s.io/v1",
  "certificates.k8s.io/v1beta1",
  "certificates.k8s.io/v1alpha1",
  "coordination.k8s.io/v1alpha2",
  "coordination.k8s.io/v1beta1",
  "coordination.k8s.io/v1",
  "discovery.k8s.io/v1",
  "discovery.k8s.io/v1beta1",
  "events.k8s.io/v1",
  "events.k8s.io/v1beta1",
  "extensions/v1beta1",
  "flowcontrol.apiserver.k8s.io/v1",
  "flowcontrol.apiserver.k8s.io/v1beta1",
  "flowcontrol.apiserver.k8s.io/v1beta2",
  "flowcontrol.apiserver.k8s.io/v1beta3",
  "networking.k8s.io/v1",
  "networking.k8s.io/v1beta1",
  "node.k8s.io/v1",
  "node.k8s.io/v1alpha1",
  "node.k8s.io/v1beta1",
  "policy/v1",
  "policy/v1beta1",
  "rbac.authorization.k8s.io/v1",
  "rbac.authorization.k8s.io/v1beta1",
  "rbac.authorization.k8s.io/v1alpha1",
  "resource.k8s.io/v1",
  "resource.k8s.io/v1beta2",
  "resource.k8s.io/v1beta1",
  "resource.k8s.io/v1alpha3",
  "scheduling.k8s.io/v1alpha2",
  "scheduling.k8s.io/v1beta1",
  "scheduling.k8s.io/v1",
  "storage.k8s.io/v1beta1",
  "storage.k8s.io/v1",
  "storage.k8s.io/v1alpha1",
  "storagemigration.k8s.io/v1beta1",
  "apiextensions.k8s.io/v1beta1",
  "apiextensions.k8s.io/v1",
];

/** The capabilities that Helm 4.2 assumes without a cluster. */
export const defaultCapabilities: Capabilities = {
  kubeVersion: "v1.36.0",
  apiVersions: defaultApiVersions,
  helmVersion: { version: "v4.2", goVersion: "go1.26.10", kubeClientVersion: "v1.36" },
};
