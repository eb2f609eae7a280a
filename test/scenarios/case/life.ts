/** Releases with a history: objects that were deployed before, unready, broken or as something else. */
import { makeAwaitedConfigMap, makeConfigMap, makeWidgetCrd, makeDeployment, makeObject, failing, makeJob } from "../objects.ts";
import { fieldsAt, listAt } from "../../../src/core/object/index.ts";
import { markFinished } from "../third-party-client.ts";
import type { ThirdPartyClient, ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const hook = (event: string) => ({ "helm.sh/hook": event });
const map = (home: string, name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: home, name });

/** Fails unless this field manager owns the object's fields, and Helm's ownership metadata is there or not, as asked. */
const isOf =
  (name: string, manager: string, marked: boolean) =>
  async ({ cluster, namespace: home }: ThirdPartyClient) => {
    const { metadata } = await cluster.get(map(home, name));
    const managers = JSON.stringify(metadata["managedFields"])
      .match(/"manager":"[^"]*"/g)
      ?.join();
    if (managers !== `"manager":"${manager}"`) throw new Error(`configmap/${name} is managed by ${managers}`);
    const marks = [
      metadata.annotations?.["meta.helm.sh/release-name"],
      metadata.annotations?.["meta.helm.sh/release-namespace"],
      metadata.labels?.["app.kubernetes.io/managed-by"],
    ];
    const expected = marked ? ["app", home, "Helm"] : [undefined, undefined, undefined];
    if (marks.join() !== expected.join()) throw new Error(`configmap/${name} is marked ${marks.join()}`);
  };

/** A definition with a status that nobody writes. */
const silentCrd = () => {
  const crd = makeWidgetCrd({}, "$NS.example.com", "Mute");
  const versions = listAt(crd, "spec.versions").map((version) => ({ ...version, subresources: { status: {} } }));
  return { ...crd, spec: { ...fieldsAt(crd, "spec"), versions } };
};
const makeMute = (spec: object) => makeObject("$NS.example.com/v1", "Mute", "m", {}, { spec });

export const lifeScenarios: readonly ReleaseScenario[] = [
  {
    name: "an object whose status nobody writes is waited for once, not with every deploy",
    acts: [
      {
        do: "deploy",
        manifests: [silentCrd(), makeMute({ size: 1 })],
        expect: { progressLines: [/^finished await mute\/m: no status yet after 30 s; taken as ready/] },
      },
      {
        do: "deploy",
        manifests: [silentCrd(), makeMute({ size: 1 }), makeConfigMap("next", weight("1"))],
        expect: { unwantedLines: [/await mute\/m/], order: ["configmap/next created"], withinMs: 10_000 },
      },
      {
        do: "deploy",
        manifests: [silentCrd(), makeMute({ size: 2 }), makeConfigMap("next", weight("1"))],
        expect: { progressLines: [/^finished await mute\/m: no status yet, as before; taken as ready/], withinMs: 10_000 },
      },
    ],
  },
  {
    name: "a release's objects are Helm's and carry its marks; those of an apply are Sluice's and do not",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("released")], expect: { more: isOf("released", "helm", true) } },
      { do: "apply", manifests: [makeConfigMap("applied")], expect: { more: isOf("applied", "sluice", false) } },
    ],
  },
  {
    name: "an object that did not change and is not ready holds back the next rank all the same",
    acts: [
      { do: "deploy", terms: { wait: "none" }, manifests: [makeAwaitedConfigMap("web")] },
      {
        do: "deploy",
        manifests: [makeAwaitedConfigMap("web"), makeConfigMap("next", weight("1"))],
        meanwhile: [{ onProgress: /^waiting await configmap\/web: /, afterMs: 300, work: markFinished("web") }],
        expect: { order: ["configmap/web changed < configmap/next created"], records: ["1 superseded", "2 deployed"] },
      },
    ],
  },
  {
    name: "a release that was deployed without waiting is waited for by the next deploy, without a revision",
    acts: [
      { do: "deploy", terms: { wait: "none" }, manifests: [makeAwaitedConfigMap("web")] },
      {
        do: "deploy",
        manifests: [makeAwaitedConfigMap("web")],
        meanwhile: [{ onProgress: /^waiting await configmap\/web: /, afterMs: 300, work: markFinished("web") }],
        expect: { status: "unchanged", order: ["configmap/web changed"], records: ["1 deployed"] },
      },
    ],
  },
  {
    name: "a namespace is made when that is asked for, and missed when it is not",
    also: [{ group: "", version: "v1", kind: "Namespace" }],
    acts: [
      {
        do: "deploy",
        namespace: "$NS-new",
        manifests: [makeConfigMap("a"), makeConfigMap("b", weight("1"))],
        expect: { refused: /there is no namespace .*-new/, absent: ["namespace/$NS-new"] },
      },
      {
        do: "deploy",
        namespace: "$NS-new",
        createNamespace: true,
        manifests: [makeConfigMap("a"), makeConfigMap("b", weight("1"))],
        expect: {
          order: ["namespace/$NS-new created < configmap/a in $NS-new created < configmap/b in $NS-new created"],
          records: ["1 deployed"],
        },
      },
      { do: "delete", namespace: "$NS-new", expect: { there: ["namespace/$NS-new"], absent: ["configmap/a in $NS-new"], records: [] } },
    ],
  },
  {
    name: "when undoing a failed upgrade fails too, that is said, and the next deploy mends it",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a", {}, { v: "1" }), makeJob("back", hook("pre-rollback"), { image: failing })] },
      {
        do: "deploy",
        options: { autoRollback: true },
        manifests: [makeConfigMap("a", {}, { v: "2" }), makeJob("bad", {}, { image: failing })],
        expect: {
          status: "failed",
          because: /^job\/bad: .*; undoing it failed too: job\/back: /,
          records: ["1 deployed", "2 failed", "3 failed"],
        },
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("a", {}, { v: "3" })],
        expect: { absent: ["job/bad"], records: ["1 superseded", "2 failed", "3 failed", "4 deployed"] },
      },
    ],
  },
  {
    name: "a failed barrier skips everything after it, in its phase and in those that follow",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("before"),
          makeDeployment(
            "gate",
            { "kots.io/wait-for-ready": "true", "sluice.dev/timeout": "500ms" },
            { image: "example.com/never-ready:1" },
          ),
          makeJob("behind"),
          makeConfigMap("later", { "kots.io/creation-phase": "1" }),
        ],
        expect: {
          status: "failed",
          because: /^deployment\/gate: /,
          there: ["configmap/before"],
          never: ["job/behind created", "configmap/later created"],
        },
      },
    ],
  },
  {
    name: "a resource that becomes a hook of another event leaves the release",
    acts: [
      { do: "deploy", manifests: [makeJob("task"), makeConfigMap("main")] },
      {
        do: "deploy",
        manifests: [makeJob("task", hook("post-delete")), makeConfigMap("main"), makeJob("bad", {}, { image: failing })],
        expect: { status: "failed", there: ["job/task"], records: ["1 deployed", "2 failed"] },
      },
      {
        do: "deploy",
        manifests: [makeJob("task", hook("post-delete")), makeConfigMap("main")],
        expect: { order: ["job/task gone"], absent: ["job/task"] },
      },
      { do: "delete", expect: { order: ["configmap/main gone < job/task created < job/task ready"], records: [] } },
    ],
  },
  {
    name: "a hook that waits for what comes only after it is refused as a cycle",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("before", { ...hook("pre-install"), "werf.io/deploy-dependency-main": "state=present,kind=ConfigMap,name=main" }),
          makeConfigMap("main"),
        ],
        expect: {
          refused: /job\/before.*configmap\/main|configmap\/main.*job\/before/,
          never: ["job/before created", "configmap/main created"],
          records: [],
        },
      },
    ],
  },
];
