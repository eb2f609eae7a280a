/** Deletions: what they leave behind, pass over and stop at. */
import {
  failing,
  makeConfigMap,
  makeDeployment,
  makeJob,
  makeNamespace,
  makeSecret,
  makeVolumeClaim,
  makeWidget,
  makeWidgetCrd,
} from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

const hook = (event: string) => ({ "helm.sh/hook": event });

export const deletionScenarios: readonly ReleaseScenario[] = [
  {
    name: "what a deleted release left behind is its own again when it is installed anew",
    acts: [
      {
        do: "deploy",
        manifests: [makeVolumeClaim("data"), makeConfigMap("kept", { "helm.sh/resource-policy": "keep" }), makeConfigMap("main")],
      },
      {
        do: "delete",
        expect: { there: ["persistentvolumeclaim/data", "configmap/kept"], kept: ["persistentvolumeclaim/data", "configmap/kept"] },
      },
      {
        do: "deploy",
        manifests: [
          makeVolumeClaim("data"),
          makeConfigMap("kept", { "helm.sh/resource-policy": "keep" }, { v: "2" }),
          makeConfigMap("main"),
        ],
        expect: {
          order: ["configmap/kept changed"],
          never: ["persistentvolumeclaim/data created", "configmap/kept created"],
          records: ["1 deployed"],
        },
      },
    ],
  },
  {
    name: "a deletion ignores objects and kinds that were deleted before",
    also: [{ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }],
    acts: [
      { do: "deploy", manifests: [makeWidgetCrd(), makeWidget("w"), makeConfigMap("a"), makeConfigMap("b")] },
      {
        do: "others",
        work: async ({ cluster, namespace: home }) => {
          await cluster.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: home, name: "a" });
          await cluster.delete({
            group: "apiextensions.k8s.io",
            version: "v1",
            kind: "CustomResourceDefinition",
            namespace: "",
            name: `widgets.${home}.example.com`,
          });
        },
        expect: { absent: ["configmap/a", "customresourcedefinition/widgets.$NS.example.com"] },
      },
      { do: "delete", expect: { absent: ["configmap/b"], records: [] } },
    ],
  },
  {
    name: "the namespace of a release stays, also when the release has a manifest of it",
    acts: [
      { do: "deploy", manifests: [makeNamespace("$NS"), makeConfigMap("a")] },
      { do: "delete", expect: { there: ["namespace/$NS"], absent: ["configmap/a"], never: ["namespace/$NS going"], records: [] } },
    ],
  },
  {
    name: "a failed pre-delete hook stops the deletion, and the release can be deployed again",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a"), makeJob("before", hook("pre-delete"), { image: failing })] },
      { do: "delete", expect: { status: "failed", because: /^job\/before: /, never: ["configmap/a going"], there: ["configmap/a"] } },
      {
        do: "deploy",
        manifests: [makeConfigMap("a"), makeJob("before", hook("pre-delete"))],
        expect: { there: ["configmap/a"], records: ["1 failed", "2 deployed"] },
      },
      { do: "delete", expect: { absent: ["configmap/a"], records: [] } },
    ],
  },
  {
    name: "what left in an upgrade goes by its deletion phase",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("late", { "kots.io/deletion-phase": "5" }),
          makeSecret("default"),
          makeDeployment("early", { "kots.io/deletion-phase": "-5" }),
          makeConfigMap("main", {}, { v: "1" }),
        ],
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("main", {}, { v: "2" })],
        expect: {
          order: [
            "configmap/main changed < deployment/early going < deployment/early gone < secret/default going < secret/default gone < configmap/late going",
          ],
        },
      },
    ],
  },
];
