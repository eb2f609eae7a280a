/** What fails, how soon that is found, and what is done about it. */
import { awaited, brief, configMap, crashing, deployment, failing, job, missing, neverReady, object, secret } from "../objects.ts";
import { finish } from "../hands.ts";
import type { Scenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
/** Far below the time-out of the operation, which is a minute. */
const soon = 25_000;

export const failure: readonly Scenario[] = [
  {
    name: "a failure skips what depends on it, with the reason, and the rest of its rank finishes",
    acts: [
      {
        do: "deploy",
        manifests: [
          job("bad", {}, { image: failing }),
          awaited("good"),
          job("long", {}, { image: brief }),
          configMap("next", weight("1")),
          configMap("friend", { "werf.io/deploy-dependency-good": "state=ready,kind=ConfigMap,name=good" }),
          configMap("foe", { "werf.io/deploy-dependency-bad": "state=ready,kind=Job,name=bad" }),
          job("after", { "helm.sh/hook": "post-install" }),
        ],
        meanwhile: [{ told: /^failed await job\/bad: /, work: finish("good") }],
        expect: {
          status: "failed",
          because: /^job\/bad: BackoffLimitExceeded/,
          order: ["job/bad failed < configmap/good changed < configmap/friend created", "job/long created < job/long ready"],
          never: ["configmap/next created", "configmap/foe created", "job/after created"],
          told: [
            /^skipped apply configmap\/next: job\/bad failed: BackoffLimitExceeded/,
            /^skipped apply configmap\/foe: job\/bad failed: /,
          ],
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
        manifests: [deployment("web", {}, { image: missing }), configMap("next", weight("1"))],
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
        manifests: [deployment("web", {}, { image: crashing, spec: { minReadySeconds: 10 } }), configMap("next", weight("1"))],
        expect: { status: "failed", because: /^deployment\/web: .*pod web-/, never: ["configmap/next created"], withinMs: 45_000 },
      },
    ],
  },
  {
    name: "a progress deadline that is exceeded is found at once",
    acts: [
      {
        do: "deploy",
        manifests: [deployment("web", {}, { image: neverReady, spec: { progressDeadlineSeconds: 2 } }), configMap("next", weight("1"))],
        expect: { status: "failed", because: /^deployment\/web: .*progress/i, never: ["configmap/next created"], withinMs: soon },
      },
    ],
  },
  {
    name: "a pod that fits nowhere is found at once",
    acts: [
      {
        do: "deploy",
        manifests: [deployment("web", {}, { container: { resources: { requests: { cpu: "1000" } } } }), configMap("next", weight("1"))],
        expect: { status: "failed", because: /^deployment\/web: .*Insufficient cpu/, never: ["configmap/next created"], withinMs: soon },
      },
    ],
  },
  {
    name: "a quota that denies pods is found at once",
    acts: [
      { do: "others", work: ({ apply }) => apply(object("v1", "ResourceQuota", "quota", {}, { spec: { hard: { pods: "0" } } })) },
      {
        do: "deploy",
        manifests: [deployment("web"), configMap("next", weight("1"))],
        expect: { status: "failed", because: /^deployment\/web: .*exceeded quota/, never: ["configmap/next created"], withinMs: soon },
      },
    ],
  },
  {
    name: "with auto-rollback a failed upgrade goes back to what was deployed",
    acts: [
      { do: "deploy", manifests: [configMap("a", {}, { v: "1" }), configMap("b"), job("back", { "helm.sh/hook": "pre-rollback" })] },
      {
        do: "deploy",
        options: { autoRollback: true },
        manifests: [
          configMap("a", {}, { v: "2" }),
          secret("extra"),
          job("bad", weight("1"), { image: failing }),
          job("back", { "helm.sh/hook": "pre-rollback" }),
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
        manifests: [configMap("a"), job("bad", weight("1"), { image: failing }), configMap("next", weight("2"))],
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
    name: "without auto-rollback a failed upgrade stays as far as it came, and the next one mends it",
    acts: [
      { do: "deploy", manifests: [configMap("a", {}, { v: "1" }), configMap("old")] },
      {
        do: "deploy",
        manifests: [configMap("a", {}, { v: "2" }), job("bad", {}, { image: failing })],
        expect: {
          status: "failed",
          there: ["configmap/old", "job/bad"],
          order: ["configmap/a changed"],
          records: ["1 deployed", "2 failed"],
        },
      },
      {
        do: "deploy",
        manifests: [configMap("a", {}, { v: "2" }), job("bad")],
        expect: {
          order: ["job/bad gone < job/bad created < job/bad ready < configmap/old gone"],
          absent: ["configmap/old"],
          records: ["1 superseded", "2 failed", "3 deployed"],
        },
      },
    ],
  },
];
