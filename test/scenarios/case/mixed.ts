/** Both dialects in one release, with Sluice's own annotations. */
import { fieldsAt, type KubeObject } from "../../../src/core/object/index.ts";
import {
  brief,
  makeConfigMap,
  makeWidgetCrd,
  makeDeployment,
  makeJob,
  neverReady,
  makeSecret,
  slow,
  makeWidget,
  widgetKind,
} from "../objects.ts";
import { markFinished } from "../third-party-client.ts";
import type { ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const phase = (value: string) => ({ "kots.io/creation-phase": value });

const clusterWide = (crd: KubeObject): KubeObject => ({ ...crd, spec: { ...fieldsAt(crd, "spec"), scope: "Cluster" } });

export const mixedScenarios: readonly ReleaseScenario[] = [
  {
    name: "weights and phases share one axis, each with the gate of its dialect",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("weighed", weight("0"), { image: slow }),
          makeDeployment("phased", phase("1"), { image: slow }),
          makeConfigMap("between", weight("2")),
          makeDeployment("plain", {}, { image: slow }),
          makeDeployment("waited", { ...phase("3"), "kots.io/wait-for-ready": "true" }, { image: slow }),
          makeConfigMap("last", weight("4")),
          makeDeployment("both", { ...phase("-1"), ...weight("-1") }, { image: slow }),
        ],
        expect: {
          order: [
            "deployment/both ready < deployment/weighed created, deployment/plain created < deployment/weighed ready, deployment/plain ready < deployment/phased created < configmap/between created < deployment/waited created < deployment/waited ready < configmap/last created",
          ],
        },
      },
    ],
  },
  {
    name: "in a mixed release the next rank follows a phase that is applied, however long its objects take",
    acts: [
      {
        do: "deploy",
        manifests: [makeJob("long", phase("1"), { image: brief }), makeConfigMap("next", weight("2"))],
        expect: { order: ["job/long created < configmap/next created < job/long ready"] },
      },
    ],
  },
  {
    name: "phases do not apply to hooks, and a post hook follows the highest phase",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("after", { "helm.sh/hook": "post-install", ...phase("-9") }),
          makeJob("before", { "helm.sh/hook": "pre-install", ...phase("9") }),
          makeConfigMap("high", phase("9999")),
          makeConfigMap("weighed", weight("-3")),
        ],
        expect: { order: ["job/before ready < configmap/weighed created < configmap/high created < job/after created"] },
      },
    ],
  },
  {
    name: "two different ranks on one object are refused",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("a", { ...weight("1"), ...phase("2") }), makeConfigMap("b")],
        expect: {
          refused:
            /app\.yaml:\d+: configmap\/a: .*werf\.io\/weight.*kots\.io\/creation-phase|app\.yaml:\d+: configmap\/a: .*kots\.io\/creation-phase.*werf\.io\/weight/,
          never: ["configmap/b created"],
          records: [],
        },
      },
    ],
  },
  {
    name: "sluice.dev/timeout ends the wait for one object, and others go on",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("never", { "sluice.dev/timeout": "1500ms" }, { image: neverReady }),
          makeDeployment("good", {}, { image: slow }),
          makeConfigMap("next", weight("1")),
        ],
        expect: {
          status: "failed",
          because: /^deployment\/never: not there after 1\.5 s/,
          order: ["deployment/good created < deployment/good ready"],
          never: ["configmap/next created"],
        },
      },
    ],
  },
  {
    name: "sluice.dev/gate says what is waited for before the next rank",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("applied", { "sluice.dev/gate": "applied" }, { image: slow }),
          makeConfigMap("one", weight("1")),
          makeJob("completed", { ...weight("2"), "sluice.dev/gate": "completed" }, { image: brief }),
          makeConfigMap("three", weight("3")),
        ],
        expect: {
          order: [
            "deployment/applied created < configmap/one created < deployment/applied ready",
            "job/completed ready < configmap/three created",
          ],
        },
      },
    ],
  },
  {
    name: "sluice.dev/health is a rule that says when an object is ready",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("state", { "sluice.dev/health": 'has(self.data) && self.data.finished == "yes"' }),
          makeConfigMap("next", weight("1")),
        ],
        meanwhile: [{ onProgress: /^waiting await configmap\/state: /, afterMs: 300, work: markFinished("state") }],
        expect: { order: ["configmap/state created < configmap/state changed < configmap/next created"] },
      },
    ],
  },
  {
    name: "sluice.dev/remove says when an object goes that left the release",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("before", { "sluice.dev/remove": "before" }),
          makeConfigMap("after", { "sluice.dev/remove": "after" }),
          makeConfigMap("keep", { "sluice.dev/remove": "keep" }),
          makeConfigMap("main", {}, { v: "1" }),
        ],
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("main", {}, { v: "2" }), makeDeployment("web", {}, { image: slow }), makeSecret("none")],
        expect: {
          order: ["configmap/before gone < configmap/main changed < deployment/web ready < configmap/after going < configmap/after gone"],
          there: ["configmap/keep"],
          kept: ["configmap/keep"],
        },
      },
    ],
  },
  {
    name: "sluice.dev/wait-for-kind waits for a kind that an operator brings",
    also: [widgetKind, { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }],
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("operator", weight("-1"), {}),
          makeWidget("w", { "sluice.dev/wait-for-kind": "true" }),
          makeConfigMap("next", weight("1")),
        ],
        meanwhile: [{ onChange: "deployment/operator ready", afterMs: 500, work: ({ apply }) => apply(makeWidgetCrd()) }],
        expect: {
          order: [
            "deployment/operator ready < customresourcedefinition/widgets.$NS.example.com ready < widget/w created < configmap/next created",
          ],
        },
      },
    ],
  },
  {
    name: "whether objects of a kind that comes later have a namespace is found out when it is there",
    also: [widgetKind, { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }],
    acts: [
      {
        do: "deploy",
        manifests: [makeDeployment("operator", weight("-1"), {}), makeWidget("of-$NS", { "sluice.dev/wait-for-kind": "true" })],
        meanwhile: [{ onChange: "deployment/operator ready", afterMs: 500, work: ({ apply }) => apply(clusterWide(makeWidgetCrd())) }],
        expect: { order: ["deployment/operator ready < widget/of-$NS created"], there: ["widget/of-$NS"] },
      },
      {
        do: "deploy",
        manifests: [makeDeployment("operator", weight("-1"), {}), makeWidget("of-$NS", { "sluice.dev/wait-for-kind": "true" })],
        expect: { status: "unchanged", never: ["widget/*"] },
      },
      { do: "delete", expect: { absent: ["widget/of-$NS"] } },
    ],
  },
];
