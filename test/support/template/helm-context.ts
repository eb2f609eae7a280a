import { GoMap, dict, int, int64, anyList, types, type GoValue } from "../../../src/lang/template/index.ts";
import { capabilitiesValue, defaultApiVersions, filesValue, valuesMap, valuesType } from "../../../src/release/render/index.ts";

/** The chart t 0.1.0, as templates see it. */
const chart: Readonly<Record<string, GoValue>> = {
  APIVersion: "v2",
  Name: "t",
  Version: "0.1.0",
  AppVersion: "1.0",
  Type: "",
  KubeVersion: "",
  Description: "",
  Home: "",
  Icon: "",
  Condition: "",
  Tags: "",
  Deprecated: false,
  IsRoot: true,
};

const capabilities = capabilitiesValue({
  kubeVersion: "v1.36.0",
  apiVersions: defaultApiVersions,
  helmVersion: { version: "v4.2", goVersion: "go1.26.10", kubeClientVersion: "v1.36" },
});

/** The context of a template: release rel in namespace ns, revision 1. */
export function helmContext(values: GoMap, files: Readonly<Record<string, string>> = {}): GoMap {
  const entries: [string, GoValue][] = [
    [
      "Chart",
      dict({
        ...chart,
        Annotations: new GoMap(types.stringMap, [], { isNil: true }),
        Dependencies: anyList([]),
        Keywords: anyList([]),
        Maintainers: anyList([]),
        Sources: anyList([]),
      }),
    ],
    ["Capabilities", capabilities],
    ["Files", filesValue(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const))],
    ["Release", dict({ Name: "rel", Namespace: "ns", Revision: int(1), IsInstall: true, IsUpgrade: false, Service: "Helm" })],
    ["Subcharts", dict()],
    ["Values", new GoMap(valuesType, values)],
  ];
  return valuesMap(entries);
}

/** Sets `a=1` in values, as `--set` does. */
export function setValue(values: GoMap, assignment: string): void {
  const [key = "", text = ""] = assignment.split("=");
  values.set(key, /^-?\d+$/.test(text) ? int64(BigInt(text)) : text);
}
