/** Objects that others delete before or while they are deployed. */
import { hook, makeAwaitedConfigMap, makeConfigMap, makeDeployment, makeJob, makePod } from "../objects.ts";
import { markFinished } from "../third-party-client.ts";
import type { ThirdPartyClient, ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const map = (home: string, name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: home, name });

const jobRef = (home: string, name: string) => ({ group: "batch", version: "v1", kind: "Job", namespace: home, name });

const hold = { metadata: { finalizers: ["example.com/hold"] } };
const letGo = { type: "merge", patch: { metadata: { finalizers: null } } } as const;

/** Deletes a ConfigMap that a finalizer holds. */
const deleteHeld =
  (name: string) =>
  async ({ cluster, namespace: home }: ThirdPartyClient) => {
    await cluster.patch(map(home, name), { type: "merge", patch: hold });
    await cluster.delete(map(home, name));
  };

/** Deletes a suspended Job, and lets the next one of its name run. */
const restartJob =
  (name: string) =>
  async ({ cluster, namespace: home, pause }: ThirdPartyClient) => {
    const { uid } = (await cluster.get(jobRef(home, name))).metadata;
    await cluster.delete(jobRef(home, name), { propagation: "background" });
    for (let attempts = 0; attempts < 300; attempts++) {
      const found = await cluster.find(jobRef(home, name));
      if (found !== undefined && found.metadata.uid !== uid)
        return cluster.patch(jobRef(home, name), { type: "merge", patch: { spec: { suspend: false } } });
      await pause(100);
    }
    throw new Error(`job/${name} was not created again`);
  };

export const vanishedScenarios: readonly ReleaseScenario[] = [
  {
    name: "an object that is still being deleted when it is deployed is created when it is gone",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("a"), makeConfigMap("b"), makeConfigMap("c", { "sluice.dev/gate": "applied" })] },
      {
        do: "others",
        work: async (client) => {
          for (const name of ["a", "b", "c"]) await deleteHeld(name)(client);
        },
      },
      {
        do: "deploy",
        manifests: [
          makeConfigMap("a"),
          makeConfigMap("b", {}, { v: "2" }),
          makeConfigMap("c", { "sluice.dev/gate": "applied" }, { v: "2" }),
        ],
        terms: { wait: "hooks" },
        meanwhile: ["a", "b", "c"].map((name) => ({
          onProgress: new RegExp(
            `^waiting apply configmap/${name}: the old one is to go first: being deleted, kept by the finalizers example.com/hold`,
          ),
          work: ({ cluster, namespace: home }: ThirdPartyClient) => cluster.patch(map(home, name), letGo),
        })),
        expect: {
          there: ["configmap/a", "configmap/b", "configmap/c"],
          order: [
            "configmap/a gone < configmap/a created",
            "configmap/b gone < configmap/b created",
            "configmap/c gone < configmap/c created",
          ],
          records: ["1 superseded", "2 deployed"],
        },
      },
    ],
  },
  {
    name: "a workload that is deleted in the foreground while it is deployed is created again",
    acts: [
      { do: "deploy", manifests: [makeDeployment("web"), makeConfigMap("next", weight("1"))] },
      {
        do: "others",
        work: ({ cluster, namespace: home }) =>
          cluster.delete({ group: "apps", version: "v1", kind: "Deployment", namespace: home, name: "web" }, { propagation: "foreground" }),
      },
      {
        do: "deploy",
        manifests: [makeDeployment("web", { note: "changed" }), makeConfigMap("next", weight("1"))],
        expect: { there: ["deployment/web"], order: ["deployment/web created < deployment/web ready"] },
      },
    ],
  },
  {
    name: "what is deleted while it is waited for and is still wanted is created again",
    acts: [
      {
        do: "deploy",
        manifests: [makeAwaitedConfigMap("web"), makeConfigMap("next", weight("1"))],
        meanwhile: [
          {
            onProgress: /^waiting await configmap\/web: its rule/,
            work: ({ cluster, namespace: home }) => cluster.delete(map(home, "web")),
          },
          { onProgress: /^waiting await configmap\/web: it was deleted/, afterMs: 1000, work: markFinished("web") },
        ],
        expect: {
          progressLines: [/^waiting await configmap\/web: it was deleted; it is created again/],
          order: ["configmap/web created < configmap/web gone < configmap/web created#2 < configmap/next created"],
          records: ["1 deployed"],
        },
      },
    ],
  },
  {
    name: "what is deleted later in the run and is still wanted is created again before the release is deployed",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("first"), makeAwaitedConfigMap("web", weight("1"))],
        differsAfterKill: "the next run finds the first one as it should be, and has no part in it",
        meanwhile: [
          {
            onProgress: /^waiting await configmap\/web: its rule/,
            work: ({ cluster, namespace: home }) => cluster.delete(map(home, "first")),
          },
          { onChange: "configmap/first gone", afterMs: 2000, work: markFinished("web") },
        ],
        expect: {
          there: ["configmap/first"],
          order: ["configmap/first created < configmap/first gone < configmap/first created#2"],
          records: ["1 deployed"],
        },
      },
    ],
  },
  {
    name: "what is deleted while an unchanged release is waited for is deployed again, as a new revision",
    acts: [
      { do: "deploy", terms: { wait: "none" }, manifests: [makeAwaitedConfigMap("web")] },
      {
        do: "deploy",
        manifests: [makeAwaitedConfigMap("web")],
        meanwhile: [
          {
            onProgress: /^waiting await configmap\/web: its rule/,
            work: ({ cluster, namespace: home }) => cluster.delete(map(home, "web")),
          },
          { onChange: "configmap/web created", afterMs: 300, work: markFinished("web") },
        ],
        expect: { there: ["configmap/web"], records: ["1 superseded", "2 deployed"] },
      },
    ],
  },
  {
    name: "what a run leaves as it is, and others delete while it waits, is created again before the release is deployed",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("steady"), makePod("server")] },
      {
        do: "deploy",
        manifests: [makeConfigMap("steady"), makePod("server"), makeAwaitedConfigMap("web", weight("1"))],
        differsAfterKill: "the next run may find that they are gone, and deploys them as any others",
        meanwhile: [
          {
            onProgress: /^waiting await configmap\/web: its rule/,
            work: async ({ cluster, namespace: home }) => {
              await cluster.delete(map(home, "steady"));
              await cluster.delete({ group: "", version: "v1", kind: "Pod", namespace: home, name: "server" });
            },
          },
          { onChange: "pod/server gone", afterMs: 100, work: markFinished("web") },
        ],
        expect: {
          there: ["configmap/steady", "pod/server"],
          order: ["configmap/steady gone < configmap/steady created", "pod/server gone < pod/server created < pod/server ready"],
          records: ["1 superseded", "2 deployed"],
        },
      },
    ],
  },
  {
    name: "what vanishes from an unchanged release while another object of it is waited for is deployed again, as a new revision",
    acts: [
      { do: "deploy", terms: { wait: "none" }, manifests: [makeConfigMap("steady"), makeAwaitedConfigMap("web")] },
      {
        do: "deploy",
        manifests: [makeConfigMap("steady"), makeAwaitedConfigMap("web")],
        differsAfterKill: "the next run finds that it is gone at once",
        meanwhile: [
          {
            onProgress: /^waiting await configmap\/web: its rule/,
            work: ({ cluster, namespace: home }) => cluster.delete(map(home, "steady")),
          },
          { onChange: "configmap/steady gone", afterMs: 100, work: markFinished("web") },
        ],
        expect: { there: ["configmap/steady"], records: ["1 superseded", "2 deployed"] },
      },
    ],
  },
  {
    name: "what vanishes during an apply without a release is created again",
    acts: [
      { do: "apply", manifests: [makeConfigMap("steady")] },
      {
        do: "apply",
        manifests: [makeConfigMap("steady"), makeConfigMap("first"), makeAwaitedConfigMap("web", weight("1"))],
        differsAfterKill: "the next run may find that they are gone, and applies them as any others",
        meanwhile: [
          {
            onProgress: /^waiting await configmap\/web: its rule/,
            work: async ({ cluster, namespace: home }) => {
              await cluster.delete(map(home, "steady"));
              await cluster.delete(map(home, "first"));
            },
          },
          { onChange: "configmap/first gone", afterMs: 100, work: markFinished("web") },
        ],
        expect: { there: ["configmap/steady", "configmap/first"], order: ["configmap/first gone < configmap/first created#2"] },
      },
    ],
  },
  {
    name: "a hook that is deleted before it has run to its end is created again",
    acts: [
      {
        do: "deploy",
        manifests: [makeJob("migrate", hook("pre-install"), { spec: { suspend: true } }), makeConfigMap("main")],
        differsAfterKill: "the next run finds that it runs, or that it is gone and starts it anew",
        meanwhile: [{ onChange: "job/migrate created", work: restartJob("migrate") }],
        expect: {
          progressLines: [/^waiting await job\/migrate: it was deleted; it is created again/],
          order: ["job/migrate created < job/migrate gone < job/migrate created#2 < job/migrate ready < configmap/main created"],
          records: ["1 deployed"],
        },
      },
    ],
  },
  {
    name: "a hook that has done its part does not come back, whoever deletes it",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("tidy", hook("pre-install", "0", "hook-succeeded")),
          makeJob("left", hook("pre-install")),
          makeAwaitedConfigMap("web"),
        ],
        meanwhile: [
          {
            onProgress: /^waiting await configmap\/web: its rule/,
            work: ({ cluster, namespace: home }) => cluster.delete(jobRef(home, "left"), { propagation: "background" }),
          },
          { onChange: "job/left gone", afterMs: 2000, work: markFinished("web") },
        ],
        differsAfterKill: "hooks of a deploy that was killed over their records may run again",
        expect: { absent: ["job/tidy", "job/left"], never: ["job/tidy created#2", "job/left created#2"], records: ["1 deployed"] },
      },
    ],
  },
];
