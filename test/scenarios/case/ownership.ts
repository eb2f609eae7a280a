/** Objects that others made by client-side apply: whose fields they are once a release has them. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { makeConfigMap, makeDeployment, makeObject, makeService } from "../objects.ts";
import type { ReleaseScenario, ThirdPartyClient } from "../scenario.ts";

const map = (namespace: string, name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace, name });

/** The object as Helm without server-side apply makes it. */
function helms(object: KubeObject, namespace: string): KubeObject {
  const annotations = {
    ...object.metadata.annotations,
    "meta.helm.sh/release-name": "app",
    "meta.helm.sh/release-namespace": namespace,
  };
  const labels = { ...object.metadata.labels, "app.kubernetes.io/managed-by": "Helm" };
  return { ...object, metadata: { ...object.metadata, namespace, annotations, labels } };
}

const createAsHelm =
  (...objects: readonly KubeObject[]) =>
  async ({ cluster, namespace }: ThirdPartyClient) => {
    for (const object of objects) await cluster.create(helms(object, namespace), { manager: "helm" });
  };

const createAsKubectl =
  (object: KubeObject) =>
  ({ cluster, namespace }: ThirdPartyClient) =>
    cluster.create({ ...object, metadata: { ...object.metadata, namespace } }, { manager: "kubectl-client-side-apply" });

/** Fails unless a ConfigMap has this data, and these are its field managers. */
const has =
  (name: string, data: Readonly<Record<string, string>>, ...managers: readonly string[]) =>
  async ({ cluster, namespace }: ThirdPartyClient) => {
    const live = await cluster.get(map(namespace, name));
    assert.deepEqual(live["data"], data);
    const owners = (live.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);
    assert.deepEqual(owners, managers);
  };

const secretOf = (name: string, stringData: Readonly<Record<string, string>>): KubeObject =>
  makeObject("v1", "Secret", name, {}, { stringData });

/** Fails unless a Secret has this data, and one manager applied it. */
const holds =
  (name: string, data: Readonly<Record<string, string>>) =>
  async ({ cluster, namespace }: ThirdPartyClient) => {
    const live = await cluster.get({ group: "", version: "v1", kind: "Secret", namespace, name });
    assert.deepEqual(live["data"], data);
    assert.deepEqual(
      (live.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`),
      ["helm Apply"],
    );
  };

export const ownershipScenarios: readonly ReleaseScenario[] = [
  {
    name: "what Helm made without server-side apply is taken over: keys that left go, and nothing belongs to helm's updates",
    acts: [
      {
        do: "others",
        work: createAsHelm(
          makeConfigMap("changed", {}, { kept: "1", left: "1", other: "1" }),
          makeConfigMap("same", {}, { a: "1" }),
          makeConfigMap("fewer", {}, { a: "1", left: "1" }),
          makeDeployment(
            "web",
            {},
            {
              container: {
                env: [
                  { name: "LEFT", value: "1" },
                  { name: "STAYS", value: "1" },
                ],
              },
            },
          ),
          makeService(
            "web",
            {},
            {
              ports: [
                { name: "http", port: 80 },
                { name: "left", port: 81 },
              ],
            },
          ),
        ),
      },
      {
        do: "deploy",
        manifests: [
          makeConfigMap("changed", {}, { kept: "1", other: "2" }),
          makeConfigMap("same", {}, { a: "1" }),
          makeConfigMap("fewer", {}, { a: "1" }),
          makeDeployment("web", {}, { container: { env: [{ name: "STAYS", value: "1" }] } }),
          makeService("web"),
        ],
        expect: {
          more: async (client) => {
            await has("changed", { kept: "1", other: "2" }, "helm Apply")(client);
            await has("same", { a: "1" }, "helm Apply")(client);
            await has("fewer", { a: "1" }, "helm Apply")(client);
            const { cluster, namespace } = client;
            const web = { group: "apps", version: "v1", kind: "Deployment", namespace, name: "web" };
            assert.doesNotMatch(JSON.stringify((await cluster.get(web))["spec"]), /LEFT/);
            const service = { group: "", version: "v1", kind: "Service", namespace, name: "web" };
            assert.doesNotMatch(JSON.stringify((await cluster.get(service))["spec"]), /"left"/);
          },
        },
      },
      {
        do: "others",
        work: ({ cluster, namespace }) =>
          cluster.patch(map(namespace, "changed"), { type: "merge", patch: { data: { other: "3", more: "3" } } }, { manager: "helm" }),
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("changed", {}, { kept: "1", other: "4" })],
        expect: { more: has("changed", { kept: "1", other: "4" }, "helm Apply") },
      },
    ],
  },
  {
    name: "what kubectl apply made is taken over with --take-ownership, and what it changes later is a conflict",
    acts: [
      { do: "others", work: createAsKubectl(makeConfigMap("found", {}, { a: "1", left: "1" })) },
      { do: "deploy", manifests: [makeConfigMap("found", {}, { a: "2" })], expect: { refused: /configmap\/found: .*--take-ownership/ } },
      {
        do: "deploy",
        terms: { takeOwnership: true },
        manifests: [makeConfigMap("found", {}, { a: "2" })],
        expect: { more: has("found", { a: "2" }, "helm Apply") },
      },
      {
        do: "others",
        work: ({ cluster, namespace }) =>
          cluster.patch(map(namespace, "found"), { type: "merge", patch: { data: { a: "9" } } }, { manager: "kubectl-client-side-apply" }),
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("found", {}, { a: "3" })],
        expect: { refused: /configmap\/found: \.data\.a belongs to kubectl-client-side-apply/ },
      },
    ],
  },
  {
    name: "fields from before field managers were tracked are taken over",
    acts: [
      {
        do: "others",
        work: async (client) => {
          await createAsHelm(makeConfigMap("old", {}, { a: "1", left: "1" }))(client);
          const patch = [{ op: "replace", path: "/metadata/managedFields", value: [{}] }];
          await client.cluster.patch(map(client.namespace, "old"), { type: "json", patch });
        },
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("old", {}, { a: "2" })],
        expect: { more: has("old", { a: "2" }, "helm Apply") },
      },
    ],
  },
  {
    name: "keys that left the stringData of a Secret go, also from one that Helm applied",
    acts: [
      { do: "deploy", manifests: [secretOf("ours", { a: "1", left: "1" })], expect: { more: holds("ours", { a: "MQ==", left: "MQ==" }) } },
      { do: "deploy", manifests: [secretOf("ours", { a: "1" })], expect: { more: holds("ours", { a: "MQ==" }) } },
      {
        do: "others",
        work: async ({ cluster, namespace }) => {
          for (const name of ["theirs", "same"])
            await cluster.apply(helms(secretOf(name, { a: "1", left: "1" }), namespace), { manager: "helm" });
        },
      },
      {
        do: "deploy",
        manifests: [secretOf("ours", { a: "1" }), secretOf("theirs", { a: "2" }), secretOf("same", { a: "1", left: "1" })],
        expect: { more: holds("theirs", { a: "Mg==" }) },
      },
      {
        do: "deploy",
        manifests: [secretOf("theirs", { a: "2" }), secretOf("same", { a: "1" })],
        expect: { absent: ["secret/ours"], more: holds("same", { a: "MQ==" }) },
      },
    ],
  },
];
