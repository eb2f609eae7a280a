/** The records of a release, and what a deploy does with the records it finds. */
import { beginAsHelm, endAsHelm } from "../../support/helm-record.ts";
import { failing, hook, makeConfigMap, makeDeployment, makeJob, makeObject, slow } from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

export const recordScenarios: readonly ReleaseScenario[] = [
  {
    name: "a deploy that changes nothing says so, runs no hook and writes no revision",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "1" }), makeDeployment("web"), makeJob("h", hook("pre-install,pre-upgrade,post-upgrade"))],
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "1" }), makeDeployment("web"), makeJob("h", hook("pre-install,pre-upgrade,post-upgrade"))],
        expect: { status: "unchanged", never: ["job/h *", "configmap/a *", "deployment/web changed"], records: ["1 deployed"] },
      },
    ],
  },
  {
    name: "an object that was deleted manually is created again, as a revision",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a"), makeConfigMap("b")] },
      {
        do: "others",
        work: ({ cluster, namespace }) => cluster.delete({ group: "", version: "v1", kind: "ConfigMap", namespace, name: "a" }),
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("a"), makeConfigMap("b")],
        expect: { order: ["configmap/a created"], records: ["1 superseded", "2 deployed"] },
      },
    ],
  },
  {
    name: "an install after a failed install runs all its hooks again",
    acts: [
      {
        do: "deploy",
        manifests: [makeJob("one", hook("pre-install")), makeJob("two", hook("pre-install"), { image: failing }), makeConfigMap("main")],
        expect: { status: "failed", never: ["configmap/main created"], records: ["1 failed"] },
      },
      {
        do: "deploy",
        manifests: [makeJob("one", hook("pre-install")), makeJob("two", hook("pre-install")), makeConfigMap("main")],
        expect: {
          order: [
            "job/one gone < job/one created < job/one ready < job/two gone < job/two created < job/two ready < configmap/main created",
          ],
          records: ["1 failed", "2 deployed"],
        },
      },
      {
        do: "deploy",
        manifests: [makeJob("one", hook("pre-install")), makeJob("two", hook("pre-install")), makeConfigMap("main", {}, { v: "2" })],
        expect: { never: ["job/*"], records: ["1 failed", "2 superseded", "3 deployed"] },
      },
    ],
  },
  {
    name: "a revision that Helm has just begun is waited for, and followed when Helm has ended it",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "1" })] },
      {
        do: "others",
        work: ({ cluster, namespace }) => beginAsHelm(cluster, { name: "app", namespace }, "pending-upgrade", cluster.clock.now()),
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "2" })],
        meanwhile: [
          {
            onProgress: /waiting record .*Helm is at work on revision 2 \(pending-upgrade\)/,
            work: ({ cluster, namespace }) => endAsHelm(cluster, { name: "app", namespace }, "deployed"),
          },
        ],
        expect: { order: ["configmap/a changed"], records: ["1 superseded", "2 superseded", "3 deployed"] },
      },
    ],
  },
  {
    name: "only so many revisions are kept",
    acts: [
      ...["1", "2", "3", "4"].map(
        (v) => ({ do: "deploy", options: { historyMax: 2 }, manifests: [makeConfigMap("a", {}, { v })] }) as const,
      ),
      { do: "others", work: async () => undefined, expect: { records: ["3 superseded", "4 deployed"] } },
    ],
  },
  {
    name: "a rollback goes to the revision that it names, or else to the one before, as a new revision",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "1" }), makeConfigMap("only-1")] },
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "2" }), makeConfigMap("only-2")] },
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "3" })] },
      {
        do: "rollback",
        to: 1,
        expect: {
          order: ["configmap/a changed", "configmap/only-1 created"],
          there: ["configmap/only-1"],
          records: ["1 superseded", "2 superseded", "3 superseded", "4 deployed"],
        },
      },
      {
        do: "rollback",
        expect: { absent: ["configmap/only-1"], records: ["1 superseded", "2 superseded", "3 superseded", "4 superseded", "5 deployed"] },
      },
      { do: "rollback", to: 9, expect: { refused: /there is no revision 9/ } },
    ],
  },
  {
    name: "a rollback brings back what was deleted with its history kept",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "1" })] },
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "2" }), makeConfigMap("b"), makeJob("h", hook("pre-rollback"))] },
      { do: "delete", options: { keepHistory: true }, expect: { records: ["1 superseded", "2 uninstalled"] } },
      { do: "delete", expect: { refused: /it has been deleted, .*: sluice history app shows it, sluice rollback app brings it back/ } },
      {
        do: "rollback",
        expect: {
          order: ["job/h ready < configmap/a created"],
          there: ["configmap/a", "configmap/b"],
          records: ["1 superseded", "2 uninstalled", "3 deployed"],
        },
      },
      {
        do: "rollback",
        to: 1,
        expect: { absent: ["configmap/b"], records: ["1 superseded", "2 uninstalled", "3 superseded", "4 deployed"] },
      },
    ],
  },
  {
    name: "a rollback over an immutable field says what to do, and that can be done",
    acts: [
      { do: "deploy", manifests: [makeObject("v1", "ConfigMap", "a", {}, { data: { v: "1" }, immutable: true })] },
      {
        do: "deploy",
        manifests: [
          makeObject(
            "v1",
            "ConfigMap",
            "a",
            { "werf.io/delete-policy": "before-creation-if-immutable" },
            { data: { v: "2" }, immutable: true },
          ),
        ],
        expect: { order: ["configmap/a gone < configmap/a created"] },
      },
      {
        do: "rollback",
        expect: { refused: /immutable.*: delete the object and run the same command again, or deploy the earlier manifests with/ },
      },
      {
        do: "others",
        work: ({ cluster, namespace }) => cluster.delete({ group: "", version: "v1", kind: "ConfigMap", namespace, name: "a" }),
      },
      { do: "rollback", expect: { there: ["configmap/a"], records: ["1 superseded", "2 superseded", "3 deployed"] } },
    ],
  },
  {
    name: "a rollback after a failed upgrade goes to what is still deployed",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "1" })] },
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "2" }), makeJob("bad", {}, { image: failing })],
        expect: { status: "failed" },
      },
      { do: "rollback", expect: { order: ["configmap/a changed < job/bad gone"], records: ["1 superseded", "2 failed", "3 deployed"] } },
    ],
  },
  {
    name: "releases of one namespace are kept apart",
    acts: [
      { do: "deploy", release: "one", manifests: [makeConfigMap("a")] },
      { do: "deploy", release: "two", manifests: [makeConfigMap("b")] },
      { do: "delete", release: "one", expect: { there: ["configmap/b"], absent: ["configmap/a"], records: [] } },
      { do: "others", release: "two", work: async () => undefined, expect: { records: ["1 deployed"] } },
    ],
  },
  {
    name: "a deploy without waiting ends when every object is applied",
    acts: [
      {
        do: "deploy",
        terms: { wait: "none" },
        manifests: [makeDeployment("web", {}, { image: "example.com/never-ready:1" }), makeConfigMap("a", {}, {})],
        expect: { there: ["deployment/web", "configmap/a"], records: ["1 deployed"] },
      },
    ],
  },
  {
    name: "an apply goes through the same order without a record, and removes nothing",
    acts: [
      {
        do: "apply",
        manifests: [
          makeConfigMap("last", { "werf.io/weight": "1" }),
          makeDeployment("web", {}, { image: slow }),
          makeJob("first", hook("pre-install")),
        ],
        expect: { order: ["job/first ready < deployment/web created < deployment/web ready < configmap/last created"], records: [] },
      },
      {
        do: "apply",
        manifests: [makeConfigMap("last", { "werf.io/weight": "1" }, { v: "2" })],
        expect: { order: ["configmap/last changed"], there: ["deployment/web"], records: [] },
      },
    ],
  },
];
