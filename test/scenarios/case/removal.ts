/** Pruning, and what a deleted release leaves behind. */
import assert from "node:assert/strict";
import {
  makeVolumeClaim,
  makeConfigMap,
  makeWidgetCrd,
  makeDeployment,
  makeJob,
  makeSecret,
  makeServiceAccount,
  slow,
  makeWidget,
  widgetKind,
} from "../objects.ts";
import type { ThirdPartyClient, ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const crdKind = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
const map = (namespace: string, name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace, name });
const hand =
  (name: string, release: string) =>
  async ({ cluster, namespace }: ThirdPartyClient) =>
    cluster.patch(map(namespace, name), { type: "merge", patch: { metadata: { annotations: { "meta.helm.sh/release-name": release } } } });

export const removalScenarios: readonly ReleaseScenario[] = [
  {
    name: "what left the release goes after the main resources are ready and before the post hooks, in reverse",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("web", {}, { image: slow }),
          makeConfigMap("old", weight("-1")),
          makeDeployment("older", weight("1")),
          makeSecret("oldest", weight("1")),
          makeJob("after", { "helm.sh/hook": "post-upgrade" }),
        ],
      },
      {
        do: "deploy",
        manifests: [
          makeDeployment("web", {}, { image: "example.com/slow:2" }),
          makeConfigMap("new"),
          makeJob("after", { "helm.sh/hook": "post-upgrade" }),
        ],
        expect: {
          order: [
            "configmap/new created < deployment/web changed < deployment/web ready < deployment/older going < secret/oldest going",
            "deployment/older gone, secret/oldest gone < configmap/old going < configmap/old gone < job/after created",
          ],
          absent: ["configmap/old", "deployment/older", "secret/oldest"],
          kept: [],
          records: ["1 superseded", "2 deployed"],
        },
      },
    ],
  },
  {
    name: "volume claims that left are kept and listed, unless data is to be deleted or they have a deletion phase",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeVolumeClaim("one"),
          makeVolumeClaim("two"),
          makeVolumeClaim("phased", { "kots.io/deletion-phase": "1" }),
          makeConfigMap("main"),
        ],
      },
      {
        do: "deploy",
        manifests: [makeVolumeClaim("two"), makeConfigMap("main")],
        expect: { there: ["persistentvolumeclaim/one"], absent: ["persistentvolumeclaim/phased"], kept: ["persistentvolumeclaim/one"] },
      },
      {
        do: "deploy",
        terms: { deleteData: true },
        manifests: [makeConfigMap("main")],
        expect: { absent: ["persistentvolumeclaim/two"], kept: [] },
      },
      { do: "deploy", manifests: [makeVolumeClaim("three"), makeConfigMap("main")] },
      {
        do: "delete",
        expect: { there: ["persistentvolumeclaim/three"], absent: ["configmap/main"], kept: ["persistentvolumeclaim/three"], records: [] },
      },
    ],
  },
  {
    name: "a deletion that may delete data deletes volume claims too",
    acts: [
      { do: "deploy", manifests: [makeVolumeClaim("data"), makeConfigMap("main")] },
      {
        do: "delete",
        terms: { deleteData: true },
        expect: { absent: ["persistentvolumeclaim/data", "configmap/main"], kept: [], records: [] },
      },
    ],
  },
  {
    name: "CRDs with custom resources are kept and listed, others are pruned after the last of theirs",
    also: [widgetKind, crdKind],
    acts: [
      {
        do: "deploy",
        manifests: [makeWidgetCrd(), makeWidgetCrd({}, "$NS.example.com", "Gadget"), makeWidget("ours"), makeConfigMap("main")],
      },
      { do: "others", work: ({ apply }) => apply(makeWidget("theirs")) },
      {
        do: "deploy",
        manifests: [makeConfigMap("main")],
        expect: {
          there: ["customresourcedefinition/widgets.$NS.example.com", "widget/theirs"],
          absent: ["customresourcedefinition/gadgets.$NS.example.com", "widget/ours"],
          kept: ["customresourcedefinition/widgets.$NS.example.com"],
        },
      },
      { do: "deploy", terms: { takeOwnership: true }, manifests: [makeWidgetCrd(), makeConfigMap("main")] },
      {
        do: "delete",
        terms: { deleteData: true },
        expect: {
          order: ["configmap/main gone < customresourcedefinition/widgets.$NS.example.com going"],
          absent: ["widget/theirs", "customresourcedefinition/widgets.$NS.example.com"],
          records: [],
        },
      },
    ],
  },
  {
    name: "a CRD is pruned after its custom resources when all of them are the release's",
    acts: [
      { do: "deploy", manifests: [makeWidgetCrd(), makeWidget("a"), makeWidget("b", weight("3"))] },
      {
        do: "delete",
        expect: {
          order: [
            "widget/b gone < widget/a gone < customresourcedefinition/widgets.$NS.example.com going < customresourcedefinition/widgets.$NS.example.com gone",
          ],
          kept: [],
          records: [],
        },
      },
    ],
  },
  {
    name: "what says keep stays when it leaves and when the release is deleted",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("kept", { "helm.sh/resource-policy": "keep" }),
          makeConfigMap("marked"),
          makeSecret("skipped", { "werf.io/resource-policy": "skip-delete" }),
          makeServiceAccount("goes"),
          makeConfigMap("main"),
        ],
      },
      {
        do: "others",
        work: ({ cluster, namespace }) =>
          cluster.patch(map(namespace, "marked"), {
            type: "merge",
            patch: { metadata: { annotations: { "helm.sh/resource-policy": "keep" } } },
          }),
      },
      {
        do: "deploy",
        manifests: [makeSecret("skipped", { "werf.io/resource-policy": "skip-delete" }), makeConfigMap("main")],
        expect: {
          there: ["configmap/kept", "configmap/marked"],
          absent: ["serviceaccount/goes"],
          kept: ["configmap/kept", "configmap/marked"],
        },
      },
      { do: "delete", expect: { there: ["secret/skipped"], absent: ["configmap/main"], kept: ["secret/skipped"], records: [] } },
    ],
  },
  {
    name: "what another release owns is neither changed nor deleted",
    acts: [
      { do: "deploy", release: "theirs", manifests: [makeConfigMap("shared", {}, { v: "1" })] },
      {
        do: "deploy",
        manifests: [makeConfigMap("shared", {}, { v: "2" }), makeConfigMap("mine")],
        expect: { refused: /app\.yaml:\d+: configmap\/shared: it belongs to release theirs/, never: ["configmap/*"], records: [] },
      },
      {
        do: "deploy",
        terms: { takeOwnership: true, forceConflicts: true },
        manifests: [makeConfigMap("shared", {}, { v: "2" })],
        expect: { refused: /configmap\/shared: it belongs to release theirs/, never: ["configmap/*"] },
      },
      { do: "deploy", manifests: [makeConfigMap("given"), makeConfigMap("gone"), makeConfigMap("mine")] },
      { do: "others", work: async (client) => void (await Promise.all([hand("given", "theirs")(client), hand("gone", "theirs")(client)])) },
      {
        do: "deploy",
        manifests: [makeConfigMap("given"), makeConfigMap("mine")],
        expect: { refused: /configmap\/given: it belongs to release theirs/ },
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("mine", {}, { v: "2" })],
        expect: { there: ["configmap/given", "configmap/gone"], kept: ["configmap/given", "configmap/gone"] },
      },
      {
        do: "delete",
        expect: { absent: ["configmap/mine"], there: ["configmap/given", "configmap/gone", "configmap/shared"], records: [] },
      },
    ],
  },
  {
    name: "an object without an owner is adopted only with --take-ownership",
    acts: [
      { do: "others", work: ({ apply }) => apply(makeConfigMap("found", {}, { theirs: "1" })) },
      {
        do: "deploy",
        manifests: [makeConfigMap("found", {}, { ours: "1" }), makeConfigMap("new")],
        expect: { refused: /app\.yaml:\d+: configmap\/found: .*--take-ownership/, never: ["configmap/new created"], records: [] },
      },
      {
        do: "deploy",
        terms: { takeOwnership: true },
        manifests: [makeConfigMap("found", {}, { ours: "1" }), makeConfigMap("new")],
        expect: { order: ["configmap/found changed"], records: ["1 deployed"] },
      },
      { do: "delete", expect: { absent: ["configmap/found", "configmap/new"], records: [] } },
    ],
  },
  {
    name: "an object that a deleted release left behind is adopted with --take-ownership",
    acts: [
      {
        do: "deploy",
        release: "former",
        manifests: [makeConfigMap("left", { "helm.sh/resource-policy": "keep" }, { old: "1", v: "1" }), makeConfigMap("gone")],
      },
      { do: "deploy", release: "other", manifests: [makeConfigMap("others")] },
      { do: "delete", release: "former", expect: { there: ["configmap/left"], absent: ["configmap/gone"] } },
      {
        do: "deploy",
        manifests: [makeConfigMap("left", {}, { v: "2" })],
        expect: { refused: /configmap\/left: .*left over from release former in .*, which was deleted: .*--take-ownership/ },
      },
      {
        do: "deploy",
        terms: { takeOwnership: true },
        manifests: [makeConfigMap("left", {}, { v: "2" }), makeConfigMap("others")],
        expect: { refused: /configmap\/others: it belongs to release other/, never: ["configmap/*"] },
      },
      {
        do: "deploy",
        terms: { takeOwnership: true },
        manifests: [makeConfigMap("left", {}, { v: "2" })],
        expect: {
          records: ["1 deployed"],
          more: async ({ cluster, namespace }) => {
            const { metadata, data } = await cluster.get(map(namespace, "left"));
            assert.deepEqual([data, metadata.annotations?.["meta.helm.sh/release-name"]], [{ v: "2" }, "app"]);
          },
        },
      },
      { do: "delete", expect: { absent: ["configmap/left"], there: ["configmap/others"] } },
    ],
  },
  {
    name: "a field conflict is refused by name, and forced when that is asked for",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "1" }), makeConfigMap("b")] },
      { do: "others", work: ({ apply }) => apply(makeConfigMap("a", {}, { v: "9" })) },
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "2" }), makeConfigMap("b", {}, { v: "2" })],
        expect: {
          refused: /configmap\/a: \.data\.v belongs to somebody: .*--force-conflicts/,
          never: ["configmap/*"],
          records: ["1 deployed"],
        },
      },
      {
        do: "deploy",
        terms: { forceConflicts: true },
        manifests: [makeConfigMap("a", {}, { v: "2" }), makeConfigMap("b", {}, { v: "2" })],
        expect: { order: ["configmap/a changed"], records: ["1 superseded", "2 deployed"] },
      },
    ],
  },
  {
    name: "deleting a release mirrors its installation, between its delete hooks, and removes its records",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeServiceAccount("account"),
          makeConfigMap("config"),
          makeDeployment("web", {}, { pod: { serviceAccountName: "account" } }),
          makeJob("task", weight("1")),
          makeConfigMap("first", weight("-1")),
          makeJob("before", { "helm.sh/hook": "pre-delete", "helm.sh/hook-delete-policy": "hook-succeeded" }),
          makeJob("after", { "helm.sh/hook": "post-delete", "helm.sh/hook-delete-policy": "hook-succeeded" }),
        ],
      },
      {
        do: "delete",
        expect: {
          order: [
            "job/before ready < job/before gone < job/task going < job/task gone < deployment/web going < configmap/config going < configmap/config gone < configmap/first going",
            "deployment/web gone < serviceaccount/account going < serviceaccount/account gone < configmap/first going < configmap/first gone < job/after created < job/after ready < job/after gone",
          ],
          absent: ["job/before", "job/after"],
          records: [],
        },
      },
      { do: "delete", expect: { refused: /there is no such release/ } },
    ],
  },
  {
    name: "the records of a deleted release stay when that is asked for, and it can be installed again",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a"), makeJob("h", { "helm.sh/hook": "pre-install" })] },
      { do: "delete", options: { keepHistory: true }, expect: { absent: ["configmap/a"], records: ["1 uninstalled"] } },
      {
        do: "deploy",
        manifests: [makeConfigMap("a"), makeJob("h", { "helm.sh/hook": "pre-install" })],
        expect: { order: ["job/h gone < job/h created < configmap/a created"], records: ["1 uninstalled", "2 deployed"] },
      },
    ],
  },
];
