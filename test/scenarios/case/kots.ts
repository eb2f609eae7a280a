/** KOTS' phases and waits. */
import {
  brief,
  makeVolumeClaim,
  makeConfigMap,
  makeDaemonSet,
  makeWidgetCrd,
  makeDeployment,
  failing,
  makeJob,
  makeObject,
  makePod,
  makeSecret,
  makeService,
  makeServiceAccount,
  slow,
  makeStatefulSet,
  makeWidget,
} from "../objects.ts";
import { applyInTurn } from "../third-party-client.ts";
import type { ReleaseScenario } from "../scenario.ts";

const phase = (creation: string, deletion?: string) => ({
  "kots.io/creation-phase": creation,
  ...(deletion === undefined ? {} : { "kots.io/deletion-phase": deletion }),
});
const deletion = (value: string) => ({ "kots.io/deletion-phase": value });
const waits = { "kots.io/wait-for-ready": "true" };
const properties = (text: string) => ({ "kots.io/wait-for-properties": text });
const said = (type: string, status: string) => ({ type, status });
const status = (value: object) => makeWidget("w", {}, { status: value });
const secrets = { group: "", version: "v1", kind: "Secret" };
/** Avoids the wait for a status that never comes. */
const good = { conditions: [said("Ready", "True")] };

export const kotsScenarios: readonly ReleaseScenario[] = [
  {
    name: "phases are created lowest first, without an annotation in phase 0, and in each as Helm installs",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("last", phase("9999")),
          makeSecret("most", phase("9999")),
          makeService("plain"),
          makeConfigMap("zero", phase("0")),
          makeSecret("default"),
          makeConfigMap("one", phase("1")),
          makeServiceAccount("minus", phase("-1")),
          makeConfigMap("least", phase("-9999")),
          makeServiceAccount("first", phase("-9999")),
        ],
        expect: {
          order: [
            "serviceaccount/first created < configmap/least created < serviceaccount/minus created < secret/default created < configmap/zero created < service/plain created < configmap/one created < secret/most created < configmap/last created",
          ],
        },
      },
    ],
  },
  {
    name: "a phase waits for the one before to be applied and no more, and the deploy for all to be ready",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("slow", phase("-1"), { image: slow }),
          makeDeployment("plain", {}, { image: slow }),
          makeConfigMap("next", phase("1")),
          makeJob("long", phase("2"), { image: brief }),
        ],
        expect: {
          order: [
            "deployment/slow created < deployment/plain created < configmap/next created < job/long created < deployment/slow ready, deployment/plain ready",
            "job/long created < job/long ready",
          ],
        },
      },
    ],
  },
  {
    name: "deletion phases go lowest first, in each in the reverse of creation, each gone before the next",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("late", phase("-5", "9999")),
          makeDeployment("minus", deletion("-1")),
          makeConfigMap("minus-too", deletion("-1")),
          makeSecret("default", phase("3")),
          makeConfigMap("default-too", phase("-3")),
          makeService("one", phase("-1", "1")),
          makeSecret("one-too", phase("1", "1")),
          makeConfigMap("early", phase("4", "-9999")),
          makeVolumeClaim("data", deletion("2")),
        ],
      },
      {
        do: "delete",
        expect: {
          order: [
            "configmap/early gone < deployment/minus going < configmap/minus-too going",
            "deployment/minus gone, configmap/minus-too gone < secret/default going < configmap/default-too going < configmap/default-too gone < secret/one-too going < service/one going < service/one gone",
            "service/one gone < persistentvolumeclaim/data going < persistentvolumeclaim/data gone < configmap/late going",
          ],
          kept: [],
          records: [],
        },
      },
    ],
  },
  {
    name: "inside one kind a deletion phase goes in the exact reverse of creation",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("del-a"),
          makeConfigMap("del-b"),
          makeConfigMap("del-late", phase("5")),
          makeConfigMap("del-c"),
          makeConfigMap("del-m1", deletion("-1")),
          makeConfigMap("del-m2", deletion("-1")),
        ],
      },
      {
        do: "delete",
        expect: {
          order: [
            "configmap/del-m2 going < configmap/del-m1 going < configmap/del-m1 gone",
            "configmap/del-m1 gone < configmap/del-late going < configmap/del-c going < configmap/del-b going < configmap/del-a going",
          ],
          records: [],
        },
      },
    ],
  },
  {
    name: "a deletion phase waits for finalizers and says which",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("held", deletion("-1")), makeConfigMap("next")],
      },
      {
        do: "others",
        work: ({ cluster, namespace }) =>
          cluster.patch(held(namespace), { type: "merge", patch: { metadata: { finalizers: ["example.com/hold"] } } }),
      },
      {
        do: "delete",
        meanwhile: [
          {
            onChange: "configmap/held going",
            afterMs: 700,
            work: ({ cluster, namespace }) => cluster.patch(held(namespace), { type: "merge", patch: { metadata: { finalizers: null } } }),
          },
        ],
        expect: {
          order: ["configmap/held going < configmap/held gone < configmap/next going"],
          progressLines: [/^waiting await configmap\/held: .*example\.com\/hold/],
        },
      },
    ],
  },
  {
    name: "wait-for-ready holds back everything after it, with KOTS' own readiness for six kinds and existence for all others",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeVolumeClaim("claim", { ...phase("1"), ...waits }),
          makeConfigMap("after-claim", phase("2")),
          makeDaemonSet("daemonset", { ...phase("3"), ...waits }, { image: slow }),
          makeConfigMap("after-daemonset", phase("4")),
          makePod("web", phase("5"), { image: slow }, { app: "web" }),
          makeService("web", { ...phase("6"), ...waits }),
          makeConfigMap("after-service", phase("7")),
          makeObject(
            "networking.k8s.io/v1",
            "Ingress",
            "web",
            { ...phase("8"), ...waits },
            { spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } } },
          ),
          makeConfigMap("after-ingress", phase("9")),
          makeDeployment("deployment", { ...phase("10"), ...waits }, { image: slow }),
          makeStatefulSet("statefulset", { ...phase("10"), ...waits }, { image: slow }),
          makeJob("long", { ...phase("11"), ...waits }, { image: brief }),
          makeConfigMap("end", phase("12")),
        ],
        expect: {
          order: [
            "persistentvolumeclaim/claim ready < configmap/after-claim created < daemonset/daemonset ready < configmap/after-daemonset created",
            "pod/web created < service/web created < pod/web ready < configmap/after-service created < ingress/web created < configmap/after-ingress created",
            "deployment/deployment ready < statefulset/statefulset created < statefulset/statefulset ready < job/long created < configmap/end created < job/long ready",
          ],
        },
      },
    ],
  },
  {
    name: "wait-for-ready holds back the rest of its phase, and nothing that is sorted before it",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("after"),
          makeDeployment("db", waits, { image: slow }),
          makeDeployment("behind", {}, {}),
          makeConfigMap("before"),
          makeConfigMap("off", { "kots.io/wait-for-ready": "false" }),
        ],
        expect: {
          order: [
            "configmap/before created, configmap/off created < deployment/db created < deployment/db ready < deployment/behind created < job/after created",
          ],
        },
      },
    ],
  },
  {
    name: "wait-for-properties waits until all of them hold at the same moment",
    also: [secrets],
    acts: [
      {
        do: "deploy",
        manifests: [
          makeWidgetCrd(),
          makeWidget("w", properties(".status.tasks.extract=true,.status.tasks.transform=true,.status.tasks.load=true")),
          makeConfigMap("next", phase("1")),
        ],
        meanwhile: [
          {
            onChange: "widget/w created",
            afterMs: 300,
            work: applyInTurn(
              status({ tasks: { extract: true, transform: false, load: true } }),
              status({ tasks: { extract: false, transform: true, load: true } }),
              makeSecret("marker"),
              status({ tasks: { extract: true, transform: true, load: true }, ...good }),
            ),
          },
        ],
        expect: { order: ["widget/w created < secret/marker created < configmap/next created"] },
      },
    ],
  },
  {
    name: "properties define readiness for an object whose status is not understood",
    acts: [
      {
        do: "deploy",
        manifests: [makeWidgetCrd(), makeWidget("w", properties(".status.tasks.load=true")), makeConfigMap("next", phase("1"))],
        meanwhile: [{ onChange: "widget/w created", afterMs: 300, work: applyInTurn(status({ tasks: { load: true } })) }],
        expect: { order: ["widget/w created < configmap/next created"], unwantedLines: [/taken as ready/], withinMs: 15_000 },
      },
    ],
  },
  {
    name: "properties are compared as text, by condition too, with commas and equals signs escaped",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeWidgetCrd(),
          makeWidget(
            "w",
            properties(
              '.status.conditions[?(@.type=="Ready")].status=True,.status.count=3,.status.ratio=0.5,.status.on=false,.status.list=a\\,b,.status.pair=k\\=v,.metadata.labels.app\\.kubernetes\\.io/tier=web',
            ),
            { metadata: { labels: { "app.kubernetes.io/tier": "web" } } },
          ),
          makeConfigMap("next", phase("1")),
        ],
        meanwhile: [
          {
            onChange: "widget/w created",
            afterMs: 300,
            work: applyInTurn(
              status({
                conditions: [said("Other", "True"), said("Ready", "False")],
                count: 3,
                ratio: 0.5,
                on: false,
                list: "a,b",
                pair: "k=v",
              }),
              makeSecret("marker"),
              status({
                conditions: [said("Other", "False"), said("Ready", "True")],
                count: 3,
                ratio: 0.5,
                on: false,
                list: "a,b",
                pair: "k=v",
              }),
            ),
          },
        ],
        expect: { order: ["secret/marker created < configmap/next created"] },
      },
    ],
    also: [secrets],
  },
  {
    name: "an object with both waits is through when both are over",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("web", { "kots.io/wait-for-ready": "true", ...properties(".metadata.labels.checked=yes") }, { image: slow }),
          makeConfigMap("next", phase("1")),
        ],
        meanwhile: [
          {
            onChange: "deployment/web ready",
            afterMs: 500,
            work: ({ cluster, namespace }) =>
              cluster.patch(
                { group: "apps", version: "v1", kind: "Deployment", namespace, name: "web" },
                { type: "merge", patch: { metadata: { labels: { checked: "yes" } } } },
              ),
          },
        ],
        expect: { order: ["deployment/web created < deployment/web ready < deployment/web changed < configmap/next created"] },
      },
    ],
  },
  {
    name: "an object with KOTS' keep annotation stays, in an upgrade and in a deletion",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("kept", { "kots.io/keep": "true" }),
          makeConfigMap("kept-too", { "kots.io/keep": "true" }),
          makeConfigMap("goes", { "kots.io/keep": "false" }),
          makeConfigMap("main"),
        ],
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("kept-too", { "kots.io/keep": "true" }), makeConfigMap("main")],
        expect: { there: ["configmap/kept", "configmap/kept-too"], absent: ["configmap/goes"], kept: ["configmap/kept"] },
      },
      {
        do: "delete",
        expect: { there: ["configmap/kept", "configmap/kept-too"], absent: ["configmap/main"], kept: ["configmap/kept-too"], records: [] },
      },
    ],
  },
  {
    name: "KOTS' delete policy removes Jobs that have done their part",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("good", { "kots.io/hook-delete-policy": "hook-succeeded" }),
          makeJob("stays", { "kots.io/hook-delete-policy": "hook-failed" }),
          makeConfigMap("main"),
        ],
        expect: { order: ["job/good ready < job/good gone"], absent: ["job/good"], there: ["job/stays"] },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [makeJob("bad", { "kots.io/hook-delete-policy": "hook-failed" }, { image: failing })],
        expect: { status: "failed", order: ["job/bad failed < job/bad gone"], absent: ["job/bad"] },
      },
    ],
  },
  {
    name: "phases that are no integers, or out of range, are refused all at once",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("a", phase("10000")),
          makeConfigMap("b", phase("1.5")),
          makeConfigMap("c", deletion("-10000")),
          makeConfigMap("d"),
        ],
        expect: {
          refused: /app\.yaml:\d+: configmap\/a: [^]*app\.yaml:\d+: configmap\/b: [^]*app\.yaml:\d+: configmap\/c: /,
          never: ["configmap/d created"],
          records: [],
        },
      },
    ],
  },
];

function held(namespace: string) {
  return { group: "", version: "v1", kind: "ConfigMap", namespace, name: "held" };
}
