/** werf's external dependencies: waits for objects outside the release. */
import {
  makeConfigMap,
  makeWidgetCrd,
  makeDeployment,
  makeJob,
  makeNamespace,
  makeObject,
  makeSecret,
  slow,
  makeStatefulSet,
  makeWidget,
  widgetKind,
} from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

const needs = (id: string, resource: string) => ({ [`${id}.external-dependency.werf.io/resource`]: resource });
const secrets = { group: "", version: "v1", kind: "Secret" };
const workloads = (kind: string) => ({ group: "apps", version: "v1", kind });
const ready = (status: string) => ({
  status: { conditions: [{ type: "Ready", status, reason: "R", message: "", lastTransitionTime: "2030-01-01T00:00:00Z" }] },
});

export const externalScenarios: readonly ReleaseScenario[] = [
  {
    name: "the whole group waits for an external object that is not there yet, and those before it do not",
    also: [secrets],
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("myapp", needs("vault", "secret/my-dynamic-vault-secret")),
          makeConfigMap("sibling"),
          makeConfigMap("early", { "werf.io/weight": "-1" }),
          makeConfigMap("late", { "werf.io/weight": "1" }),
        ],
        meanwhile: [
          {
            onProgress: /^waiting await secret\/my-dynamic-vault-secret: /,
            afterMs: 300,
            work: ({ apply }) => apply(makeSecret("my-dynamic-vault-secret")),
          },
        ],
        expect: {
          order: [
            "configmap/early created < secret/my-dynamic-vault-secret created < configmap/sibling created < deployment/myapp created < deployment/myapp ready < configmap/late created",
          ],
          progressLines: [/^waiting await secret\/my-dynamic-vault-secret: /],
        },
      },
      { do: "delete", expect: { there: ["secret/my-dynamic-vault-secret"], absent: ["deployment/myapp", "configmap/sibling"] } },
    ],
  },
  {
    name: "several external objects are waited for until each is ready, in whichever form they are written",
    also: [secrets, workloads("StatefulSet"), workloads("Deployment")],
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("myapp", {
            ...needs("plain", "secret/s"),
            ...needs("short", "sts/db"),
            ...needs("group", "deployments.apps/cache"),
            ...needs("version", "statefulsets.v1.apps/queue"),
            "colons.external-dependency.werf.io": "apps/v1:Deployment:$NS:proxy",
          }),
        ],
        meanwhile: [
          {
            onProgress: /^waiting await sts\/db: /,
            afterMs: 300,
            work: ({ apply }) =>
              apply(
                makeStatefulSet("db", {}, { image: slow }),
                makeDeployment("cache", {}, { image: slow }),
                makeStatefulSet("queue", {}, { image: slow }),
                makeDeployment("proxy", {}, { image: slow }),
                makeSecret("s"),
              ),
          },
        ],
        expect: {
          order: [
            "secret/s created, statefulset/db ready, deployment/cache ready, statefulset/queue ready, deployment/proxy ready < configmap/myapp created",
          ],
        },
      },
    ],
  },
  {
    name: "an external object whose kind does not exist yet is waited for until it is ready",
    also: [widgetKind, { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }],
    acts: [
      {
        do: "deploy",
        manifests: [makeDeployment("myapp", needs("w", "widgets.$NS.example.com/w"))],
        meanwhile: [
          { onProgress: /^waiting await widgets\/w: /, afterMs: 300, work: ({ apply }) => apply(makeWidgetCrd()) },
          {
            onChange: "customresourcedefinition/widgets.$NS.example.com ready",
            afterMs: 500,
            work: ({ apply }) => apply(makeWidget("w", {}, ready("False"))),
          },
          { onChange: "widget/w created", afterMs: 700, work: ({ apply }) => apply(makeWidget("w", {}, ready("True"))) },
        ],
        expect: { order: ["widget/w created < widget/w ready < deployment/myapp created"] },
      },
    ],
  },
  {
    name: "an external object of another namespace is looked for there",
    also: [secrets],
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("myapp", { ...needs("vault", "secret/vault"), "vault.external-dependency.werf.io/namespace": "$NS-other" }),
        ],
        meanwhile: [
          {
            onProgress: /^waiting await secret\/vault: /,
            work: async ({ apply, pause }) => {
              await apply(makeSecret("vault"), makeNamespace("$NS-other"));
              await pause(500);
              await apply(makeSecret("vault", {}, { namespace: "$NS-other" }));
            },
          },
        ],
        expect: { order: ["secret/vault created < secret/vault in $NS-other created < deployment/myapp created"] },
      },
    ],
  },
  {
    name: "an external object that belongs to no namespace is found without one",
    also: [{ group: "scheduling.k8s.io", version: "v1", kind: "PriorityClass" }],
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("myapp", { ...needs("class", "priorityclass/$NS-high"), ...needs("home", "namespace/$NS") })],
        meanwhile: [
          {
            onProgress: /^waiting await priorityclass\/.*: /,
            afterMs: 300,
            work: ({ apply }) => apply(makeObject("scheduling.k8s.io/v1", "PriorityClass", "$NS-high", {}, { value: 9 })),
          },
        ],
        expect: { order: ["priorityclass/$NS-high created < configmap/myapp created"] },
      },
    ],
  },
  {
    name: "hooks wait for external objects too",
    also: [secrets],
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("before", { "helm.sh/hook": "pre-install", ...needs("a", "secret/a") }),
          makeConfigMap("main"),
          makeJob("after", { "helm.sh/hook": "post-install", ...needs("b", "secret/b") }),
        ],
        meanwhile: [
          { onProgress: /^waiting await secret\/a: /, afterMs: 300, work: ({ apply }) => apply(makeSecret("a")) },
          { onProgress: /^waiting await secret\/b: /, afterMs: 300, work: ({ apply }) => apply(makeSecret("b")) },
        ],
        expect: {
          order: [
            "secret/a created < job/before created < configmap/main created < secret/b created < job/after created < job/after ready",
          ],
        },
      },
    ],
  },
  {
    name: "an external object that never comes fails the group by its time-out, and says what was waited for",
    also: [secrets],
    acts: [
      {
        do: "deploy",
        options: { timeoutMs: 1500 },
        manifests: [makeDeployment("myapp", needs("vault", "secret/vault")), makeConfigMap("early", { "werf.io/weight": "-1" })],
        expect: {
          status: "failed",
          because: /^secret\/vault: the time is up after 1\.5 s/,
          never: ["deployment/myapp created"],
          there: ["configmap/early"],
          progressLines: [/^skipped apply deployment\/myapp: secret\/vault failed$/],
          records: ["1 failed"],
        },
      },
    ],
  },
  {
    name: "an external dependency on an object of the release is refused",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("a", needs("b", "configmap/b")), makeConfigMap("b")],
        expect: { refused: /configmap\/b/, never: ["configmap/a created", "configmap/b created"], records: [] },
      },
    ],
  },
];
