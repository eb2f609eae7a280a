/** werf's annotations about when an object is deployed, replaced, left alone and tracked. */
import { awaited, brief, configMap, crashing, deployment, failing, flaky, job, missing, neverReady, object, slow } from "../objects.ts";
import { finish } from "../hands.ts";
import type { Hands, Scenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const policy = (value: string) => ({ "werf.io/delete-policy": value });
const leave = (value: string) => ({ "werf.io/resource-policy": value });
const probed = { readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 } };
const replicaSets = { group: "apps", version: "v1", kind: "ReplicaSet" };

/** Fails unless the Deployment wants so many replicas. */
const wants =
  (name: string, replicas: number) =>
  async ({ cluster, namespace }: Hands) => {
    const { spec } = await cluster.get({ group: "apps", version: "v1", kind: "Deployment", namespace, name });
    const found = JSON.stringify(spec).match(/"replicas":(\d+)/)?.[1];
    if (found !== String(replicas)) throw new Error(`deployment/${name} wants ${found} replicas, not ${replicas}`);
  };

export const lifecycle: readonly Scenario[] = [
  {
    name: "werf.io/deploy-on says when an object is deployed, and where in the order",
    acts: [
      {
        do: "deploy",
        manifests: [
          configMap("install-only", { "werf.io/deploy-on": "install" }),
          configMap("upgrade-only", { "werf.io/deploy-on": "upgrade" }),
          configMap("afterwards", { "werf.io/deploy-on": "post-install,post-upgrade" }),
          configMap("beforehand", { "werf.io/deploy-on": "pre-install,upgrade" }),
          deployment("web", {}, { image: slow }),
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
          configMap("install-only", { "werf.io/deploy-on": "install" }),
          configMap("upgrade-only", { "werf.io/deploy-on": "upgrade" }),
          configMap("afterwards", { "werf.io/deploy-on": "post-install,post-upgrade" }),
          configMap("beforehand", { "werf.io/deploy-on": "pre-install,upgrade" }),
          deployment("web", {}, { image: slow }),
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
          job("task"),
          configMap("fixed", policy("before-creation-if-immutable"), { v: "1" }),
          configMap("fresh", policy("before-creation"), { v: "1" }),
        ],
      },
      {
        do: "deploy",
        manifests: [
          job("task", {}, { image: "example.com/done:2" }),
          configMap("fixed", policy("before-creation-if-immutable"), { v: "2" }),
          configMap("fresh", policy("before-creation"), { v: "2" }),
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
    name: "what cannot be changed and may not be replaced is refused before anything is applied",
    acts: [
      { do: "deploy", manifests: [immutable("1"), configMap("a", {}, { v: "1" })] },
      {
        do: "deploy",
        manifests: [immutable("2"), configMap("a", {}, { v: "2" })],
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
          job("once", policy("succeeded")),
          configMap("scratch", policy("succeeded")),
          job("stays", policy("failed")),
          configMap("next", weight("1")),
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
        manifests: [job("bad", policy("failed"), { image: failing }), job("kept", policy("succeeded"), { image: failing })],
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
          configMap("uncreated", leave("skip-create")),
          configMap("unchanged", leave("skip-update"), { v: "1" }),
          job("unreplaced", leave("skip-recreate,skip-delete")),
          configMap("main", {}, { v: "1" }),
        ],
        expect: { never: ["configmap/uncreated created"], there: ["configmap/unchanged", "job/unreplaced"] },
      },
      {
        do: "deploy",
        manifests: [
          configMap("uncreated", leave("skip-create")),
          configMap("unchanged", leave("skip-update"), { v: "2" }),
          job("unreplaced", leave("skip-recreate,skip-delete"), { image: "example.com/done:2" }),
          configMap("main", {}, { v: "2" }),
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
        manifests: [configMap("anyone", { "werf.io/ownership": "anyone" }), configMap("ours")],
        expect: { more: isUnmarked("anyone") },
      },
      { do: "delete", expect: { there: ["configmap/anyone"], absent: ["configmap/ours"], kept: ["configmap/anyone"], records: [] } },
    ],
  },
  {
    name: "werf.io/delete-propagation says what goes along",
    also: [replicaSets],
    acts: [
      {
        do: "deploy",
        manifests: [
          deployment("orphans", { "werf.io/delete-propagation": "Orphan" }),
          deployment("whole", { "werf.io/delete-propagation": "Foreground" }),
          deployment("quick", { "werf.io/delete-propagation": "Background" }),
        ],
      },
      {
        do: "delete",
        expect: {
          absent: ["deployment/orphans", "deployment/whole", "deployment/quick"],
          told: [/^waiting await deployment\/whole: .*foregroundDeletion/],
          more: hasReplicaSets("orphans"),
        },
      },
    ],
  },
  {
    name: "werf.io/replicas-on-creation holds when an object is created and not afterwards",
    acts: [
      { do: "deploy", manifests: [deployment("web", { "werf.io/replicas-on-creation": "2" })], expect: { more: wants("web", 2) } },
      {
        do: "deploy",
        manifests: [deployment("web", { "werf.io/replicas-on-creation": "2" })],
        expect: { status: "unchanged", records: ["1 deployed"], more: wants("web", 2) },
      },
      {
        do: "deploy",
        manifests: [deployment("web", { "werf.io/replicas-on-creation": "2" }, { image: "example.com/app:2" })],
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
        manifests: [deployment("web", { "werf.io/replicas-on-creation": "2", x: "1" })],
        expect: { order: ["deployment/web changed"], more: wants("web", 3) },
      },
    ],
  },
  {
    name: "nobody waits for what is tracked without blocking, unless somebody needs it ready",
    acts: [
      {
        do: "deploy",
        manifests: [
          deployment("slow", { "werf.io/track-termination-mode": "NonBlocking" }, { image: neverReady }),
          configMap("next", weight("1")),
        ],
        expect: { order: ["deployment/slow created < configmap/next created"], never: ["deployment/slow ready"] },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          job("long", { "werf.io/track-termination-mode": "NonBlocking" }, { image: brief }),
          configMap("after", { "werf.io/deploy-dependency-long": "state=ready,kind=Job,name=long" }),
        ],
        expect: { order: ["job/long created < job/long ready < configmap/after created"] },
      },
    ],
  },
  {
    name: "fail modes: trouble that is ignored holds up nobody, trouble that is hoped about waits for the others",
    acts: [
      {
        do: "deploy",
        manifests: [
          deployment("ignored", { "werf.io/fail-mode": "IgnoreAndContinueDeployProcess" }, { image: missing }),
          configMap("next", weight("1")),
        ],
        expect: { order: ["deployment/ignored created < configmap/next created"] },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          deployment("hopeless", { "werf.io/fail-mode": "HopeUntilEndOfDeployProcess" }, { image: missing }),
          awaited("other"),
          configMap("after", { "werf.io/deploy-dependency-other": "state=ready,kind=ConfigMap,name=other" }),
        ],
        meanwhile: [{ told: /^waiting await deployment\/hopeless: .*there is still hope while others go on/, work: finish("other") }],
        expect: {
          status: "failed",
          because: /^deployment\/hopeless: .*(ErrImagePull|ImagePullBackOff)/,
          order: ["configmap/other changed < configmap/after created"],
        },
      },
    ],
  },
  {
    name: "so many failures are allowed for each replica and no more",
    acts: [
      {
        do: "deploy",
        manifests: [
          deployment("strict", { "werf.io/failures-allowed-per-replica": "0" }, { image: crashing, spec: { minReadySeconds: 10 } }),
        ],
        expect: { status: "failed", because: /^deployment\/strict: .*pod strict-.*exit code 1.*1 failures, 0 allowed/, withinMs: 15_000 },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          deployment("patient", { "werf.io/failures-allowed-per-replica": "1" }, { image: flaky, spec: { minReadySeconds: 3 } }),
          configMap("next", weight("1")),
        ],
        expect: {
          order: ["deployment/patient ready < configmap/next created"],
          told: [/^waiting await deployment\/patient: .*exit code 1/],
        },
      },
    ],
  },
  {
    name: "readiness probes may fail for as long as somebody said, and no longer",
    acts: [
      {
        do: "deploy",
        manifests: [
          deployment("patient", { "werf.io/ignore-readiness-probe-fails-for-main": "20s" }, { image: slow, container: probed }),
          configMap("next", weight("1")),
        ],
        expect: { order: ["deployment/patient ready < configmap/next created"] },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          deployment("strict", { "werf.io/ignore-readiness-probe-fails-for-main": "1s" }, { image: neverReady, container: probed }),
        ],
        expect: {
          status: "failed",
          because: /^deployment\/strict: .*container main: its readiness probe fails for longer than 1 s/,
          withinMs: 25_000,
        },
      },
    ],
  },
  {
    name: "werf.io/no-activity-timeout ends a wait in which nothing happens",
    acts: [
      {
        do: "deploy",
        manifests: [deployment("still", { "werf.io/no-activity-timeout": "2s" }, { image: neverReady }), configMap("next", weight("1"))],
        expect: { status: "failed", because: /^deployment\/still: /, never: ["configmap/next created"], withinMs: 15_000 },
      },
    ],
  },
];

function immutable(value: string) {
  return object("v1", "ConfigMap", "fixed", {}, { data: { v: value }, immutable: true });
}

function isUnmarked(name: string) {
  return async ({ cluster, namespace }: Hands) => {
    const { metadata } = await cluster.get({ group: "", version: "v1", kind: "ConfigMap", namespace, name });
    const marks = Object.keys(metadata.annotations ?? {}).filter((key) => key.startsWith("meta.helm.sh/"));
    if (marks.length > 0) throw new Error(`configmap/${name} carries ${marks.join(", ")}`);
  };
}

function hasReplicaSets(...owners: readonly string[]) {
  return async ({ cluster, namespace }: Hands) => {
    const { items } = await cluster.list(replicaSets, { namespace });
    const found = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.labels?.["app"]);
    if (found.join() !== owners.join()) throw new Error(`the replica sets left are of ${found.join()}, not of ${owners.join()}`);
  };
}
