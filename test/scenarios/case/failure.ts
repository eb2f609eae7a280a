/** Failures: how soon they are found, and what is done about them. */
import {
  makeAwaitedConfigMap,
  brief,
  makeConfigMap,
  crashing,
  makeDeployment,
  failing,
  makeJob,
  missing,
  neverReady,
  makeObject,
  makeSecret,
} from "../objects.ts";
import { markFinished } from "../third-party-client.ts";
import { refOf } from "../../../src/core/object/index.ts";
import type { ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
/** Far below the time-out of the operation, which is a minute. */
const soon = 25_000;

export const failureScenarios: readonly ReleaseScenario[] = [
  {
    name: "a failure skips what depends on it, with the reason, and the rest of its rank finishes",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("bad", {}, { image: failing }),
          makeAwaitedConfigMap("good"),
          makeJob("long", {}, { image: brief }),
          makeConfigMap("next", weight("1")),
          makeConfigMap("friend", { "werf.io/deploy-dependency-good": "state=ready,kind=ConfigMap,name=good" }),
          makeConfigMap("foe", { "werf.io/deploy-dependency-bad": "state=ready,kind=Job,name=bad" }),
          makeJob("after", { "helm.sh/hook": "post-install" }),
        ],
        meanwhile: [{ onProgress: /^failed await job\/bad: /, work: markFinished("good") }],
        expect: {
          status: "failed",
          because: /^job\/bad: BackoffLimitExceeded/,
          order: ["job/bad failed < configmap/good changed < configmap/friend created", "job/long created < job/long ready"],
          never: ["configmap/next created", "configmap/foe created", "job/after created"],
          progressLines: [/^skipped apply configmap\/next: job\/bad failed$/, /^skipped apply configmap\/foe: job\/bad failed$/],
          records: ["1 failed"],
        },
      },
    ],
  },
  {
    name: "an image that cannot be pulled is found at once",
    acts: [
      {
        do: "deploy",
        manifests: [makeDeployment("web", {}, { image: missing }), makeConfigMap("next", weight("1"))],
        expect: {
          status: "failed",
          because: /^deployment\/web: .*pod web-.*(ErrImagePull|ImagePullBackOff)/,
          never: ["configmap/next created"],
          withinMs: soon,
        },
      },
    ],
  },
  {
    name: "a crash loop is found after a few restarts, not by the time-out",
    acts: [
      {
        do: "deploy",
        manifests: [makeDeployment("web", {}, { image: crashing, spec: { minReadySeconds: 10 } }), makeConfigMap("next", weight("1"))],
        expect: { status: "failed", because: /^deployment\/web: .*pod web-/, never: ["configmap/next created"], withinMs: 45_000 },
      },
    ],
  },
  {
    name: "a progress deadline that is exceeded is found at once",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("web", {}, { image: neverReady, spec: { progressDeadlineSeconds: 2 } }),
          makeConfigMap("next", weight("1")),
        ],
        expect: { status: "failed", because: /^deployment\/web: .*progress/i, never: ["configmap/next created"], withinMs: soon },
      },
    ],
  },
  {
    name: "a pod that fits nowhere for a moment is waited for, and the reason is told",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("web", {}, { pod: { nodeSelector: { "$NS.example.com/late": "yes" } } }),
          makeConfigMap("next", weight("1")),
        ],
        meanwhile: [
          {
            onProgress: /^waiting await deployment\/web: .*cannot be scheduled: .*didn't match Pod's node affinity\/selector/,
            afterMs: 300,
            work: async ({ cluster, namespace }) => {
              const { items } = await cluster.list({ group: "", version: "v1", kind: "Node" });
              const labels = { [`${namespace}.example.com/late`]: "yes" };
              for (const node of items) await cluster.patch(refOf(node), { type: "merge", patch: { metadata: { labels } } });
            },
          },
        ],
        expect: { order: ["deployment/web ready < configmap/next created"] },
      },
    ],
  },
  {
    name: "sluice.dev/scheduling-timeout says how long a pod may fit nowhere",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("web", { "sluice.dev/scheduling-timeout": "0s" }, { container: { resources: { requests: { cpu: "1000" } } } }),
          makeConfigMap("next", weight("1")),
        ],
        expect: { status: "failed", because: /^deployment\/web: .*Insufficient cpu/, never: ["configmap/next created"], withinMs: soon },
      },
    ],
  },
  {
    name: "a quota that denies pods is found at once",
    acts: [
      { do: "others", work: ({ apply }) => apply(makeObject("v1", "ResourceQuota", "quota", {}, { spec: { hard: { pods: "0" } } })) },
      {
        do: "deploy",
        manifests: [makeDeployment("web"), makeConfigMap("next", weight("1"))],
        expect: { status: "failed", because: /^deployment\/web: .*exceeded quota/, never: ["configmap/next created"], withinMs: soon },
      },
    ],
  },
  {
    name: "with auto-rollback a failed upgrade goes back to what was deployed",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "1" }), makeConfigMap("b"), makeJob("back", { "helm.sh/hook": "pre-rollback" })],
      },
      {
        do: "deploy",
        options: { autoRollback: true },
        manifests: [
          makeConfigMap("a", {}, { v: "2" }),
          makeSecret("extra"),
          makeJob("bad", weight("1"), { image: failing }),
          makeJob("back", { "helm.sh/hook": "pre-rollback" }),
        ],
        expect: {
          status: "failed",
          because: /^job\/bad: .*; rolled back to revision 1$/,
          order: [
            "secret/extra created < configmap/a changed < job/bad failed < job/back created < job/back ready < configmap/a changed#2",
            "configmap/a changed#2 < job/bad gone < secret/extra gone",
          ],
          there: ["configmap/a", "configmap/b"],
          absent: ["secret/extra", "job/bad"],
          records: ["1 superseded", "2 failed", "3 deployed"],
        },
      },
    ],
  },
  {
    name: "with auto-rollback a failed install is deleted again",
    acts: [
      {
        do: "deploy",
        options: { autoRollback: true },
        manifests: [makeConfigMap("a"), makeJob("bad", weight("1"), { image: failing }), makeConfigMap("next", weight("2"))],
        expect: {
          status: "failed",
          because: /^job\/bad: .*; deleted again$/,
          order: ["configmap/a created < job/bad failed < job/bad gone < configmap/a gone"],
          absent: ["configmap/a", "job/bad"],
          records: [],
        },
      },
    ],
  },
  {
    name: "of a failed install that is deleted again, the hooks and the namespace that was made for it stay, and that is said",
    also: [{ group: "", version: "v1", kind: "Namespace" }],
    acts: [
      {
        do: "deploy",
        namespace: "$NS-new",
        createNamespace: true,
        options: { autoRollback: true },
        manifests: [
          makeJob("before", { "helm.sh/hook": "pre-install" }),
          makeJob("gone", { "helm.sh/hook": "pre-install", "helm.sh/hook-delete-policy": "hook-succeeded" }),
          makeJob("bad", {}, { image: failing }),
        ],
        expect: {
          status: "failed",
          because: /^job\/bad: .*; deleted again; what stays: of its hooks job\/before, and namespace\/\S+-new, which was created for it$/,
          there: ["job/before in $NS-new", "namespace/$NS-new"],
          absent: ["job/gone in $NS-new", "job/bad in $NS-new"],
          records: [],
        },
      },
    ],
  },
  {
    name: "without auto-rollback a failed upgrade stays as far as it came, and the next one mends it",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "1" }), makeConfigMap("old")] },
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "2" }), makeJob("bad", {}, { image: failing })],
        expect: {
          status: "failed",
          there: ["configmap/old", "job/bad"],
          order: ["configmap/a changed"],
          records: ["1 deployed", "2 failed"],
        },
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "2" }), makeJob("bad")],
        expect: {
          order: ["job/bad gone < job/bad created < job/bad ready < configmap/old gone"],
          absent: ["configmap/old"],
          records: ["1 superseded", "2 failed", "3 deployed"],
        },
      },
    ],
  },
];
