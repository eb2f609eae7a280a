/** When hooks are deleted, as their policies say. */
import { failing, hook, makeConfigMap, makeJob, makeServiceAccount } from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

export const hookPolicyScenarios: readonly ReleaseScenario[] = [
  {
    name: "by default an old hook goes right before the new one is created",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("a", hook("pre-install,pre-upgrade")),
          makeJob("b", hook("pre-install,pre-upgrade", "1", "before-hook-creation")),
          makeConfigMap("main", {}, { v: "1" }),
        ],
        expect: { there: ["job/a", "job/b"] },
      },
      {
        do: "deploy",
        manifests: [
          makeJob("a", hook("pre-install,pre-upgrade")),
          makeJob("b", hook("pre-install,pre-upgrade", "1", "before-hook-creation")),
          makeConfigMap("main", {}, { v: "2" }),
        ],
        expect: {
          order: [
            "job/a gone < job/a created < job/a ready < job/b going < job/b gone < job/b created < job/b ready < configmap/main changed",
          ],
          there: ["job/a", "job/b"],
        },
      },
    ],
  },
  {
    name: "hooks that succeeded go in reverse order once the hooks of their event are over",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeServiceAccount("migrator", hook("pre-install", "-1", "hook-succeeded")),
          makeJob("migrate", hook("pre-install", "0", "hook-succeeded"), { pod: { serviceAccountName: "migrator" } }),
          makeJob("stays", hook("pre-install", "1")),
          makeConfigMap("main"),
        ],
        expect: {
          order: [
            "serviceaccount/migrator created < job/migrate created < job/migrate ready < job/stays created < job/stays ready < job/migrate gone < serviceaccount/migrator going < serviceaccount/migrator gone < configmap/main created",
          ],
          absent: ["job/migrate", "serviceaccount/migrator"],
          there: ["job/stays"],
        },
      },
    ],
  },
  {
    name: "a hook that failed stays when it is to go on success, and stops what follows",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("good", hook("pre-install", "-1", "hook-failed")),
          makeJob("bad", hook("pre-install", "0", "hook-succeeded"), { image: failing }),
          makeJob("next", hook("pre-install", "1")),
          makeConfigMap("main"),
          makeJob("after", hook("post-install")),
        ],
        expect: {
          status: "failed",
          because: /job\/bad: .*BackoffLimitExceeded/,
          order: ["job/good ready < job/bad created < job/bad failed"],
          never: ["job/next created", "configmap/main created", "job/after created", "job/good gone"],
          there: ["job/bad", "job/good"],
          records: ["1 failed"],
        },
      },
    ],
  },
  {
    name: "a hook that failed goes when it is to go on failure",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeServiceAccount("account", hook("pre-install", "-1", "hook-succeeded")),
          makeJob("bad", hook("pre-install", "0", "hook-failed"), { image: failing }),
          makeConfigMap("main"),
        ],
        expect: {
          status: "failed",
          order: ["job/bad failed < job/bad gone < serviceaccount/account gone"],
          never: ["configmap/main created"],
          absent: ["job/bad", "serviceaccount/account"],
        },
      },
    ],
  },
  {
    name: "a hook with an empty policy is updated in place",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("h", hook("pre-install,pre-upgrade", "0", ""), { v: "1" }), makeConfigMap("main", {}, { v: "1" })],
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("h", hook("pre-install,pre-upgrade", "0", ""), { v: "2" }), makeConfigMap("main", {}, { v: "2" })],
        expect: { order: ["configmap/h changed < configmap/main changed"], never: ["configmap/h going", "configmap/h created"] },
      },
    ],
  },
  {
    name: "both policies together delete a hook whatever became of it",
    acts: [
      {
        do: "deploy",
        manifests: [makeJob("h", hook("post-install", "0", "before-hook-creation,hook-succeeded,hook-failed")), makeConfigMap("main")],
        expect: { order: ["configmap/main created < job/h created < job/h ready < job/h gone"], absent: ["job/h"] },
      },
    ],
  },
];
