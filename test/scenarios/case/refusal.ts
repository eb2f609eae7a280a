/** Bad input: always refused before anything is applied, all problems at once. */
import { createHash } from "node:crypto";
import { makeConfigMap, makeDeployment, makeJob, makeObject } from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

/** All patterns, in any order. */
function all(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?=[^]*${source})`).join(""));
}

/** Incompressible letters. */
function noise(length: number): string {
  return createHash("shake256", { outputLength: (length / 4) * 3 })
    .update("noise")
    .digest("base64");
}

const dependency = (kind: string, name: string) => ({ "werf.io/deploy-dependency-x": `state=ready,kind=${kind},name=${name}` });

export const refusalScenarios: readonly ReleaseScenario[] = [
  {
    name: "all problems of a release are reported at once, with file, line, object and annotation, and nothing is applied",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("fine"),
          makeConfigMap("weight", { "werf.io/weight": "heavy" }),
          makeConfigMap("phase", { "kots.io/creation-phase": "12345" }),
          makeJob("event", { "helm.sh/hook": "mid-install" }),
          makeJob("policy", { "werf.io/delete-policy": "sometimes" }),
          makeConfigMap("ready", { "kots.io/wait-for-ready": "yes" }),
          makeConfigMap("property", { "kots.io/wait-for-properties": ".status.phase" }),
          makeConfigMap("dependency", { "werf.io/deploy-dependency-x": "state=gone,kind=Job" }),
          makeConfigMap("external", { "x.external-dependency.werf.io/resource": "secret" }),
          makeConfigMap("nobody", dependency("Job", "nobody")),
          makeConfigMap("inside", { "x.external-dependency.werf.io/resource": "configmap/fine" }),
          makeConfigMap("ranks", { "werf.io/weight": "1", "kots.io/creation-phase": "2" }),
          makeConfigMap("twice"),
          makeConfigMap("twice"),
          makeDeployment("chicken", dependency("Deployment", "egg")),
          makeDeployment("egg", dependency("Deployment", "chicken")),
          makeObject("v1", "ConfigMap", "homeless", {}, { metadata: { namespace: "$NS-nowhere" } }),
          makeObject("example.com/v1", "Unheard", "of"),
        ],
        expect: {
          refused: all(
            /app\.yaml:\d+: configmap\/weight: .*werf\.io\/weight.*heavy/,
            /app\.yaml:\d+: configmap\/phase: .*kots\.io\/creation-phase.*12345/,
            /app\.yaml:\d+: job\/event: .*helm\.sh\/hook.*mid-install/,
            /app\.yaml:\d+: job\/policy: .*werf\.io\/delete-policy.*sometimes/,
            /app\.yaml:\d+: configmap\/ready: .*kots\.io\/wait-for-ready.*yes/,
            /app\.yaml:\d+: configmap\/property: .*kots\.io\/wait-for-properties/,
            /app\.yaml:\d+: configmap\/dependency: .*werf\.io\/deploy-dependency-x/,
            /app\.yaml:\d+: configmap\/external: .*x\.external-dependency\.werf\.io\/resource/,
            /app\.yaml:\d+: configmap\/nobody: .*werf\.io\/deploy-dependency-x/,
            /app\.yaml:\d+: configmap\/inside: .*x\.external-dependency\.werf\.io\/resource/,
            /app\.yaml:\d+: configmap\/ranks: /,
            /app\.yaml:\d+: configmap\/twice is there twice/,
            /app\.yaml:\d+: .*deployment\/chicken.*deployment\/egg|app\.yaml:\d+: .*deployment\/egg.*deployment\/chicken/,
            /app\.yaml:\d+: configmap\/homeless: there is no namespace .*-nowhere/,
            /app\.yaml:\d+: .*example\.com\/v1 Unheard/,
          ),
          never: ["configmap/fine created", "deployment/* created"],
          records: [],
        },
      },
    ],
  },
  {
    name: "a record that is too large for its Secret is refused before anything is applied",
    acts: [
      {
        do: "deploy",
        manifests: [1, 2].map((at) => makeConfigMap(`large-${at}`, {}, { noise: noise(560_000) + at })),
        expect: {
          refused: /the record of release app .* needs \d+ bytes, and a Secret holds 1048576/,
          never: ["configmap/large-1 created"],
          records: [],
        },
      },
    ],
  },
  {
    name: "what the cluster's dry run refuses stops everything before it starts",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("fine"),
          makeConfigMap("Not_Good"),
          makeObject("v1", "Service", "portless", {}, { spec: { selector: { app: "x" } } }),
        ],
        expect: {
          refused: all(/app\.yaml:\d+: configmap\/Not_Good: .*RFC 1123/, /app\.yaml:\d+: service\/portless: .*spec\.ports/),
          never: ["configmap/fine created"],
          records: [],
        },
      },
    ],
  },
];
