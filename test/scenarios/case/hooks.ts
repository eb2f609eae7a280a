/** werf's and Helm's hooks: when they run, and in which order. */
import { failing, hook, makeConfigMap, makeDeployment, makeJob, neverReady, slow } from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

/** A container whose image no rule knows, so that it does what its command says. */
const echoing = (...words: readonly string[]) => ({
  image: "shell:1",
  command: ["sh", "-c", words.map((word) => (/^(sleep|exit) /.test(word) ? word : `echo ${word}`)).join("; ")],
});

const everyEvent = [
  "pre-install",
  "post-install",
  "pre-upgrade",
  "post-upgrade",
  "pre-rollback",
  "post-rollback",
  "pre-delete",
  "post-delete",
  "test",
].map((event) => makeJob(event, hook(event)));

const others = (...events: readonly string[]) =>
  everyEvent
    .map(({ metadata }) => metadata.name)
    .filter((name) => !events.includes(name))
    .map((name) => `job/${name} created`);

/** A hook that an install alone runs, and one that every deploy runs. */
const installed = [makeConfigMap("a"), makeJob("once", hook("pre-install")), makeJob("both", hook("pre-install,pre-upgrade"))];

export const hookScenarios: readonly ReleaseScenario[] = [
  {
    name: "weights, events and policies that Helm tolerates are taken as Helm takes them",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("second", {
            "helm.sh/hook": "Pre-Install",
            "helm.sh/hook-weight": "abc",
            "helm.sh/hook-delete-policy": "Hook-Succeeded",
          }),
          makeJob("first", { "helm.sh/hook": "pre-install", "helm.sh/hook-weight": "-1", "helm.sh/hook-delete-policy": "sometimes" }),
          makeConfigMap("kept", { "helm.sh/resource-policy": " Keep " }),
        ],
        expect: {
          order: ["job/first ready < job/second created < job/second ready < job/second gone < configmap/kept created"],
          there: ["job/first"],
          absent: ["job/second"],
        },
      },
      { do: "delete", expect: { there: ["configmap/kept"], kept: ["configmap/kept"], records: [] } },
    ],
  },
  {
    name: "hooks run before and after the operations that they name, and in no other",
    acts: [
      {
        do: "deploy",
        manifests: [...everyEvent, makeConfigMap("main", {}, { v: "1" })],
        expect: {
          order: [
            "job/pre-install created < job/pre-install ready < configmap/main created < job/post-install created < job/post-install ready",
          ],
          never: others("pre-install", "post-install"),
          records: ["1 deployed"],
        },
      },
      {
        do: "deploy",
        manifests: [...everyEvent, makeConfigMap("main", {}, { v: "2" })],
        expect: {
          order: [
            "job/pre-upgrade created < job/pre-upgrade ready < configmap/main changed < job/post-upgrade created < job/post-upgrade ready",
          ],
          never: others("pre-upgrade", "post-upgrade"),
          records: ["1 superseded", "2 deployed"],
        },
      },
      {
        do: "rollback",
        expect: {
          order: [
            "job/pre-rollback created < job/pre-rollback ready < configmap/main changed < job/post-rollback created < job/post-rollback ready",
          ],
          never: others("pre-rollback", "post-rollback"),
          records: ["1 superseded", "2 superseded", "3 deployed"],
        },
      },
      {
        do: "test",
        expect: {
          order: ["job/test created < job/test ready"],
          never: [...others("test"), "configmap/main *"],
          records: ["1 superseded", "2 superseded", "3 deployed"],
        },
      },
      {
        do: "delete",
        expect: {
          order: ["job/pre-delete created < job/pre-delete ready < configmap/main gone < job/post-delete created < job/post-delete ready"],
          never: others("pre-delete", "post-delete"),
          absent: ["configmap/main"],
          records: [],
        },
      },
    ],
  },
  {
    name: "hooks run one at a time, by weight and then by name",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("last", hook("pre-install", "10")),
          makeJob("b", hook("pre-install")),
          makeJob("a", { "helm.sh/hook": "pre-install" }),
          makeJob("first", hook("pre-install", "-10")),
          makeJob("z", hook("post-install", "1")),
          makeJob("y", { ...hook("post-install", "5"), "werf.io/weight": "-1" }),
          makeConfigMap("main"),
        ],
        expect: {
          order: [
            "job/first created < job/first ready < job/a created < job/a ready < job/b created < job/b ready < job/last created < job/last ready",
            "job/last ready < configmap/main created < job/y created < job/y ready < job/z created < job/z ready",
          ],
        },
      },
    ],
  },
  {
    name: "a hook may name several events, and runs anew in each",
    acts: [
      {
        do: "deploy",
        manifests: [makeJob("h", hook("pre-install,post-install, post-upgrade")), makeConfigMap("main", {}, { v: "1" })],
        expect: { order: ["job/h ready < configmap/main created < job/h gone < job/h created#2 < job/h ready#2"] },
      },
      {
        do: "deploy",
        manifests: [makeJob("h", hook("pre-install,post-install, post-upgrade")), makeConfigMap("main", {}, { v: "2" })],
        expect: { order: ["configmap/main changed < job/h gone < job/h created < job/h ready"] },
      },
    ],
  },
  {
    name: "a hook that is no Job is waited for until it is ready",
    acts: [
      {
        do: "deploy",
        manifests: [makeDeployment("cache", hook("pre-install"), { image: slow }), makeConfigMap("main")],
        expect: { order: ["deployment/cache created < deployment/cache ready < configmap/main created"] },
      },
    ],
  },
  {
    name: "post hooks wait for the main resources to be ready",
    acts: [
      {
        do: "deploy",
        manifests: [makeJob("after", hook("post-install")), makeDeployment("web", {}, { image: slow })],
        expect: { order: ["deployment/web created < deployment/web ready < job/after created"] },
      },
    ],
  },
  {
    name: "in Helm's manner post hooks wait for the main resources to be applied",
    acts: [
      {
        do: "deploy",
        terms: { wait: "hooks" },
        manifests: [
          makeJob("before", hook("pre-install")),
          makeJob("after", hook("post-install")),
          makeDeployment("web", {}, { image: neverReady }),
        ],
        expect: {
          order: ["job/before ready < deployment/web created < job/after created < job/after ready"],
          never: ["deployment/web ready"],
        },
      },
    ],
  },
  {
    name: "test hooks run by weight, and a failed one fails the test",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("t2", hook("test", "1"), { image: failing }),
          makeJob("t1", hook("test-success")),
          makeJob("t3", hook("test", "2")),
          makeConfigMap("main"),
        ],
        expect: { never: ["job/* created"] },
      },
      {
        do: "test",
        expect: {
          status: "failed",
          because: /job\/t2: .*BackoffLimitExceeded/,
          order: ["job/t1 created < job/t1 ready < job/t2 created < job/t2 failed"],
          never: ["job/t3 created"],
          records: ["1 deployed"],
        },
      },
    ],
  },
  {
    name: "what hooks and Jobs write is reported while they run, and what workloads write on demand",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("migrate", hook("pre-install", "0", "hook-succeeded"), {
            container: echoing("one", "sleep 2", "two"),
            pod: { initContainers: [{ name: "init", ...echoing("begin") }] },
          }),
          makeJob("again", {}, { container: echoing("trying", "sleep 1", "exit 3"), spec: { backoffLimit: 1 } }),
        ],
        options: { logs: "jobs" },
        expect: {
          status: "failed",
          absent: ["job/migrate"],
          logs: {
            "job/migrate init": ["begin"],
            "job/migrate main": ["one", "two"],
            "job/again main": ["trying", "trying"],
          },
        },
      },
      {
        do: "deploy",
        manifests: [makeDeployment("web", {}, { container: echoing("listening", "sleep 1000") })],
        options: { logs: "workloads" },
        expect: { logs: { "deployment/web main": ["listening"] } },
      },
    ],
  },
  {
    name: "without hooks none of them runs, and all stay in the record",
    acts: [
      {
        do: "deploy",
        terms: { noHooks: true },
        manifests: [...everyEvent, makeConfigMap("a", {}, { v: "1" })],
        expect: { never: ["job/*"] },
      },
      {
        do: "deploy",
        terms: { noHooks: true },
        manifests: [...everyEvent, makeConfigMap("a", {}, { v: "2" })],
        expect: { never: ["job/*"] },
      },
      { do: "rollback", terms: { noHooks: true }, expect: { never: ["job/*"], there: ["configmap/a"] } },
      { do: "deploy", manifests: [...everyEvent, makeConfigMap("a", {}, { v: "3" })], expect: { order: ["job/pre-upgrade ready"] } },
      {
        do: "delete",
        terms: { noHooks: true },
        expect: { never: ["job/pre-delete created", "job/post-delete created"], absent: ["configmap/a"] },
      },
    ],
  },
  {
    name: "a deploy without hooks leaves those of an upgrade to the next deploy, even when nothing else has changed",
    acts: [
      { do: "deploy", terms: { noHooks: true }, manifests: installed, expect: { never: ["job/*"] } },
      { do: "deploy", terms: { noHooks: true }, manifests: installed, expect: { status: "unchanged", never: ["job/*"] } },
      { do: "deploy", manifests: installed, expect: { order: ["job/both ready"], never: ["job/once created"] } },
      { do: "deploy", manifests: installed, expect: { status: "unchanged", never: ["job/both created"] } },
    ],
  },
  {
    name: "hooks of other operations are not owed to a release that was installed with its hooks",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a"), ...everyEvent] },
      { do: "deploy", manifests: [makeConfigMap("a"), ...everyEvent], expect: { status: "unchanged" } },
    ],
  },
  {
    name: "a release with a broken pre-delete hook is deleted without its hooks",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a"), makeJob("bad", hook("pre-delete"), { image: failing })] },
      { do: "delete", expect: { status: "failed", there: ["configmap/a"] } },
      { do: "delete", terms: { noHooks: true }, expect: { never: ["job/bad created"], absent: ["configmap/a"], records: [] } },
    ],
  },
];
