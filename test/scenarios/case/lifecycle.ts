/** werf's annotations about when an object is deployed, replaced and skipped. */
import { makeConfigMap, makeDeployment, failing, makeJob, makeObject, makeRoleBinding, slow } from "../objects.ts";
import type { ThirdPartyClient, ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const policy = (value: string) => ({ "werf.io/delete-policy": value });
const leave = (value: string) => ({ "werf.io/resource-policy": value });

/** Fails unless the Deployment has this many replicas. */
const wants =
  (name: string, replicas: number) =>
  async ({ cluster, namespace }: ThirdPartyClient) => {
    const { spec } = await cluster.get({ group: "apps", version: "v1", kind: "Deployment", namespace, name });
    const found = JSON.stringify(spec).match(/"replicas":(\d+)/)?.[1];
    if (found !== String(replicas)) throw new Error(`deployment/${name} wants ${found} replicas, not ${replicas}`);
  };

export const lifecycleScenarios: readonly ReleaseScenario[] = [
  {
    name: "werf.io/deploy-on says when an object is deployed, and where in the order",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("install-only", { "werf.io/deploy-on": "install" }),
          makeConfigMap("upgrade-only", { "werf.io/deploy-on": "upgrade" }),
          makeConfigMap("afterwards", { "werf.io/deploy-on": "post-install,post-upgrade" }),
          makeConfigMap("beforehand", { "werf.io/deploy-on": "pre-install,upgrade" }),
          makeDeployment("web", {}, { image: slow }),
        ],
        expect: {
          order: [
            "configmap/beforehand created < configmap/install-only created < deployment/web created < deployment/web ready < configmap/afterwards created",
          ],
          never: ["configmap/upgrade-only created"],
        },
      },
      {
        do: "deploy",
        manifests: [
          makeConfigMap("install-only", { "werf.io/deploy-on": "install" }),
          makeConfigMap("upgrade-only", { "werf.io/deploy-on": "upgrade" }),
          makeConfigMap("afterwards", { "werf.io/deploy-on": "post-install,post-upgrade" }),
          makeConfigMap("beforehand", { "werf.io/deploy-on": "pre-install,upgrade" }),
          makeDeployment("web", {}, { image: slow }),
        ],
        expect: {
          order: ["configmap/upgrade-only created < configmap/install-only gone"],
          there: ["configmap/upgrade-only", "configmap/afterwards", "configmap/beforehand"],
          absent: ["configmap/install-only"],
          records: ["1 superseded", "2 deployed"],
        },
      },
      {
        do: "delete",
        expect: { absent: ["configmap/upgrade-only", "configmap/afterwards", "configmap/beforehand", "deployment/web"], records: [] },
      },
    ],
  },
  {
    name: "a Job that cannot be changed is replaced by default, and other objects where they say so",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("task"),
          makeConfigMap("fixed", policy("before-creation-if-immutable"), { v: "1" }),
          makeConfigMap("fresh", policy("before-creation"), { v: "1" }),
        ],
      },
      {
        do: "deploy",
        manifests: [
          makeJob("task", {}, { image: "example.com/done:2" }),
          makeConfigMap("fixed", policy("before-creation-if-immutable"), { v: "2" }),
          makeConfigMap("fresh", policy("before-creation"), { v: "2" }),
        ],
        expect: {
          order: [
            "job/task gone < job/task created < job/task ready",
            "configmap/fresh gone < configmap/fresh created",
            "configmap/fixed changed",
          ],
          never: ["configmap/fixed gone"],
        },
      },
    ],
  },
  {
    name: "a RoleBinding to another role is replaced where it says so, and refused with what to do where it does not",
    acts: [
      {
        do: "deploy",
        manifests: [makeRoleBinding("bound", "one", policy("before-creation-if-immutable")), makeRoleBinding("tied", "one")],
      },
      {
        do: "deploy",
        manifests: [makeRoleBinding("bound", "two", policy("before-creation-if-immutable")), makeRoleBinding("tied", "one")],
        expect: { order: ["rolebinding/bound gone < rolebinding/bound created"], never: ["rolebinding/tied"] },
      },
      {
        do: "deploy",
        manifests: [makeRoleBinding("bound", "two", policy("before-creation-if-immutable")), makeRoleBinding("tied", "two")],
        expect: {
          refused: /rolebinding\/tied: .*cannot change roleRef: leave the field as it is, or let it be replaced with the annotation/,
        },
      },
    ],
  },
  {
    name: "what cannot be changed and may not be replaced is refused before anything is applied",
    acts: [
      { do: "deploy", manifests: [immutable("1"), makeConfigMap("a", {}, { v: "1" })] },
      {
        do: "deploy",
        manifests: [immutable("2"), makeConfigMap("a", {}, { v: "2" })],
        expect: { refused: /configmap\/fixed: .*before-creation-if-immutable/, never: ["configmap/*"], records: ["1 deployed"] },
      },
    ],
  },
  {
    name: "objects of any kind go when they succeeded or failed, as werf's policy says",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("once", policy("succeeded")),
          makeConfigMap("scratch", policy("succeeded")),
          makeJob("stays", policy("failed")),
          makeConfigMap("next", weight("1")),
        ],
        expect: {
          order: ["job/once ready < job/once gone", "configmap/next created < job/once gone"],
          absent: ["job/once", "configmap/scratch"],
          there: ["job/stays", "configmap/next"],
        },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [makeJob("bad", policy("failed"), { image: failing }), makeJob("kept", policy("succeeded"), { image: failing })],
        expect: { status: "failed", order: ["job/bad failed < job/bad gone"], absent: ["job/bad"], there: ["job/kept"] },
      },
    ],
  },
  {
    name: "werf.io/resource-policy leaves objects uncreated, unchanged or unreplaced",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("uncreated", leave("skip-create")),
          makeConfigMap("unchanged", leave("skip-update"), { v: "1" }),
          makeJob("unreplaced", leave("skip-recreate,skip-delete")),
          makeConfigMap("main", {}, { v: "1" }),
        ],
        expect: { never: ["configmap/uncreated created"], there: ["configmap/unchanged", "job/unreplaced"] },
      },
      {
        do: "deploy",
        manifests: [
          makeConfigMap("uncreated", leave("skip-create")),
          makeConfigMap("unchanged", leave("skip-update"), { v: "2" }),
          makeJob("unreplaced", leave("skip-recreate,skip-delete"), { image: "example.com/done:2" }),
          makeConfigMap("main", {}, { v: "2" }),
        ],
        expect: {
          order: ["configmap/main changed"],
          never: ["configmap/uncreated created", "configmap/unchanged changed", "job/unreplaced *"],
        },
      },
      { do: "delete", expect: { there: ["job/unreplaced"], absent: ["configmap/unchanged", "configmap/main"], kept: ["job/unreplaced"] } },
    ],
  },
  {
    name: "what belongs to anyone carries no marks and is left when the release goes",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("anyone", { "werf.io/ownership": "anyone" }), makeConfigMap("ours")],
        expect: { more: isUnmarked("anyone") },
      },
      { do: "delete", expect: { there: ["configmap/anyone"], absent: ["configmap/ours"], kept: ["configmap/anyone"], records: [] } },
    ],
  },
  {
    name: "werf.io/replicas-on-creation holds when an object is created and not afterwards",
    acts: [
      { do: "deploy", manifests: [makeDeployment("web", { "werf.io/replicas-on-creation": "2" })], expect: { more: wants("web", 2) } },
      {
        do: "deploy",
        manifests: [makeDeployment("web", { "werf.io/replicas-on-creation": "2" })],
        expect: { status: "unchanged", records: ["1 deployed"], more: wants("web", 2) },
      },
      {
        do: "deploy",
        manifests: [makeDeployment("web", { "werf.io/replicas-on-creation": "2" }, { image: "example.com/app:2" })],
        expect: { order: ["deployment/web changed"], more: wants("web", 2) },
      },
      {
        do: "others",
        work: ({ cluster, namespace }) =>
          cluster.patch(
            { group: "apps", version: "v1", kind: "Deployment", namespace, name: "web" },
            { type: "merge", patch: { spec: { replicas: 3 } } },
          ),
      },
      {
        do: "deploy",
        manifests: [makeDeployment("web", { "werf.io/replicas-on-creation": "2", x: "1" })],
        expect: { order: ["deployment/web changed"], more: wants("web", 3) },
      },
    ],
  },
];

function immutable(value: string) {
  return makeObject("v1", "ConfigMap", "fixed", {}, { data: { v: value }, immutable: true });
}

function isUnmarked(name: string) {
  return async ({ cluster, namespace }: ThirdPartyClient) => {
    const { metadata } = await cluster.get({ group: "", version: "v1", kind: "ConfigMap", namespace, name });
    const marks = Object.keys(metadata.annotations ?? {}).filter((key) => key.startsWith("meta.helm.sh/"));
    if (marks.length > 0) throw new Error(`configmap/${name} carries ${marks.join(", ")}`);
  };
}
