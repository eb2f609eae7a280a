/** What leaves a release, and what is left of one that is deleted. */
import { claim, configMap, definition, deployment, job, secret, serviceAccount, slow, widget, widgets } from "../objects.ts";
import type { Hands, Scenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
const map = (namespace: string, name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace, name });
const hand =
  (name: string, release: string) =>
  async ({ cluster, namespace }: Hands) =>
    cluster.patch(map(namespace, name), { type: "merge", patch: { metadata: { annotations: { "meta.helm.sh/release-name": release } } } });

export const removal: readonly Scenario[] = [
  {
    name: "what left the release goes after the main resources are ready and before the post hooks, in reverse",
    acts: [
      {
        do: "deploy",
        manifests: [
          deployment("web", {}, { image: slow }),
          configMap("old", weight("-1")),
          deployment("older", weight("1")),
          secret("oldest", weight("1")),
          job("after", { "helm.sh/hook": "post-upgrade" }),
        ],
      },
      {
        do: "deploy",
        manifests: [
          deployment("web", {}, { image: "example.com/slow:2" }),
          configMap("new"),
          job("after", { "helm.sh/hook": "post-upgrade" }),
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
    name: "claims that left stay and are listed, unless their data is to go or they have a deletion phase",
    acts: [
      { do: "deploy", manifests: [claim("one"), claim("two"), claim("phased", { "kots.io/deletion-phase": "1" }), configMap("main")] },
      {
        do: "deploy",
        manifests: [claim("two"), configMap("main")],
        expect: { there: ["persistentvolumeclaim/one"], absent: ["persistentvolumeclaim/phased"], kept: ["persistentvolumeclaim/one"] },
      },
      {
        do: "deploy",
        terms: { deleteData: true },
        manifests: [configMap("main")],
        expect: { absent: ["persistentvolumeclaim/two"], kept: [] },
      },
      { do: "deploy", manifests: [claim("three"), configMap("main")] },
      {
        do: "delete",
        expect: { there: ["persistentvolumeclaim/three"], absent: ["configmap/main"], kept: ["persistentvolumeclaim/three"], records: [] },
      },
    ],
  },
  {
    name: "a deletion that may delete data deletes claims too",
    acts: [
      { do: "deploy", manifests: [claim("data"), configMap("main")] },
      {
        do: "delete",
        terms: { deleteData: true },
        expect: { absent: ["persistentvolumeclaim/data", "configmap/main"], kept: [], records: [] },
      },
    ],
  },
  {
    name: "definitions that still have objects stay and are listed, others go after the last of theirs",
    also: [widgets, definitions],
    acts: [
      { do: "deploy", manifests: [definition(), definition({}, "$NS.example.com", "Gadget"), widget("ours"), configMap("main")] },
      { do: "others", work: ({ apply }) => apply(widget("theirs")) },
      {
        do: "deploy",
        manifests: [configMap("main")],
        expect: {
          there: ["customresourcedefinition/widgets.$NS.example.com", "widget/theirs"],
          absent: ["customresourcedefinition/gadgets.$NS.example.com", "widget/ours"],
          kept: ["customresourcedefinition/widgets.$NS.example.com"],
        },
      },
      { do: "deploy", terms: { takeOwnership: true }, manifests: [definition(), configMap("main")] },
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
    name: "a definition goes after its objects when all of them are the release's",
    acts: [
      { do: "deploy", manifests: [definition(), widget("a"), widget("b", weight("3"))] },
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
          configMap("kept", { "helm.sh/resource-policy": "keep" }),
          configMap("marked"),
          secret("skipped", { "werf.io/resource-policy": "skip-delete" }),
          serviceAccount("goes"),
          configMap("main"),
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
        manifests: [secret("skipped", { "werf.io/resource-policy": "skip-delete" }), configMap("main")],
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
      { do: "deploy", release: "theirs", manifests: [configMap("shared", {}, { v: "1" })] },
      {
        do: "deploy",
        manifests: [configMap("shared", {}, { v: "2" }), configMap("mine")],
        expect: { refused: /app\.yaml:\d+: configmap\/shared: it belongs to release theirs/, never: ["configmap/*"], records: [] },
      },
      {
        do: "deploy",
        terms: { takeOwnership: true, forceConflicts: true },
        manifests: [configMap("shared", {}, { v: "2" })],
        expect: { refused: /configmap\/shared: it belongs to release theirs/, never: ["configmap/*"] },
      },
      { do: "deploy", manifests: [configMap("given"), configMap("gone"), configMap("mine")] },
      { do: "others", work: async (hands) => void (await Promise.all([hand("given", "theirs")(hands), hand("gone", "theirs")(hands)])) },
      {
        do: "deploy",
        manifests: [configMap("given"), configMap("mine")],
        expect: { refused: /configmap\/given: it belongs to release theirs/ },
      },
      {
        do: "deploy",
        manifests: [configMap("mine", {}, { v: "2" })],
        expect: { there: ["configmap/given", "configmap/gone"], kept: ["configmap/given", "configmap/gone"] },
      },
      {
        do: "delete",
        expect: { absent: ["configmap/mine"], there: ["configmap/given", "configmap/gone", "configmap/shared"], records: [] },
      },
    ],
  },
  {
    name: "what belongs to nobody is adopted only when that is asked for",
    acts: [
      { do: "others", work: ({ apply }) => apply(configMap("found", {}, { theirs: "1" })) },
      {
        do: "deploy",
        manifests: [configMap("found", {}, { ours: "1" }), configMap("new")],
        expect: { refused: /app\.yaml:\d+: configmap\/found: .*--take-ownership/, never: ["configmap/new created"], records: [] },
      },
      {
        do: "deploy",
        terms: { takeOwnership: true },
        manifests: [configMap("found", {}, { ours: "1" }), configMap("new")],
        expect: { order: ["configmap/found changed"], records: ["1 deployed"] },
      },
      { do: "delete", expect: { absent: ["configmap/found", "configmap/new"], records: [] } },
    ],
  },
  {
    name: "a field that somebody else owns is refused by name, and taken when that is asked for",
    acts: [
      { do: "deploy", manifests: [configMap("a", {}, { v: "1" }), configMap("b")] },
      { do: "others", work: ({ apply }) => apply(configMap("a", {}, { v: "9" })) },
      {
        do: "deploy",
        manifests: [configMap("a", {}, { v: "2" }), configMap("b", {}, { v: "2" })],
        expect: {
          refused: /configmap\/a: \.data\.v belongs to somebody: .*--force-conflicts/,
          never: ["configmap/*"],
          records: ["1 deployed"],
        },
      },
      {
        do: "deploy",
        terms: { forceConflicts: true },
        manifests: [configMap("a", {}, { v: "2" }), configMap("b", {}, { v: "2" })],
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
          serviceAccount("account"),
          configMap("config"),
          deployment("web", {}, { pod: { serviceAccountName: "account" } }),
          job("task", weight("1")),
          configMap("first", weight("-1")),
          job("before", { "helm.sh/hook": "pre-delete", "helm.sh/hook-delete-policy": "hook-succeeded" }),
          job("after", { "helm.sh/hook": "post-delete", "helm.sh/hook-delete-policy": "hook-succeeded" }),
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
      { do: "deploy", manifests: [configMap("a"), job("h", { "helm.sh/hook": "pre-install" })] },
      { do: "delete", options: { keepHistory: true }, expect: { absent: ["configmap/a"], records: ["1 uninstalled"] } },
      {
        do: "deploy",
        manifests: [configMap("a"), job("h", { "helm.sh/hook": "pre-install" })],
        expect: { order: ["job/h gone < job/h created < configmap/a created"], records: ["1 uninstalled", "2 deployed"] },
      },
    ],
  },
];
