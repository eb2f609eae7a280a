/** werf's dependencies inside a release, for deploying and deleting. */
import { makeConfigMap, makeDeployment, makeJob, makeSecret, slow, makeStatefulSet } from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });

export const dependencyScenarios: readonly ReleaseScenario[] = [
  {
    name: "an object with a dependency leaves its rank: it waits for that alone, and no rank waits for it",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeStatefulSet("db", weight("0"), { image: slow }),
          makeDeployment("middle", weight("5"), { image: slow }),
          makeDeployment(
            "loose",
            { ...weight("10"), "werf.io/deploy-dependency-db": "state=ready,kind=StatefulSet,name=db" },
            { image: slow },
          ),
          makeDeployment("early", { ...weight("10"), "werf.io/deploy-dependency-db": "state=present,kind=StatefulSet,name=db" }),
          makeConfigMap("last", weight("20")),
        ],
        expect: {
          order: [
            "statefulset/db created < deployment/early created < statefulset/db ready < deployment/loose created < deployment/middle ready < configmap/last created",
          ],
        },
      },
    ],
  },
  {
    name: "no rank waits for an object that left its own, only the end does",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("first"),
          makeJob(
            "slow",
            { "werf.io/deploy-dependency-first": "state=present,kind=ConfigMap,name=first" },
            { image: "example.com/brief:1" },
          ),
          makeConfigMap("next", weight("1")),
          makeJob("after", { "helm.sh/hook": "post-install" }),
        ],
        expect: { order: ["configmap/first created < configmap/next created < job/slow ready < job/after created"] },
      },
    ],
  },
  {
    name: "a dependency may be on many, by any of their properties",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("a", weight("3")),
          makeJob("b", weight("4")),
          makeJob("c", weight("5")),
          makeConfigMap("end", { "werf.io/deploy-dependency-all": "state=ready,group=batch,version=v1,kind=Job,namespace=$NS" }),
          makeSecret("older", { "one.dependency.werf.io": "batch/v1:Job:b" }),
        ],
        expect: {
          order: ["job/a ready < job/b created < secret/older created", "job/a ready, job/b ready, job/c ready < configmap/end created"],
        },
      },
    ],
  },
  {
    name: "a dependency on what is not in the release is refused before anything is applied",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("a", { "werf.io/deploy-dependency-x": "state=ready,kind=Job,name=nobody" }), makeConfigMap("b")],
        expect: { refused: /app\.yaml:\d+: configmap\/a: .*werf\.io\/deploy-dependency-x/, never: ["configmap/b created"], records: [] },
      },
    ],
  },
  {
    name: "an object with a delete dependency goes when that is gone",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("store", weight("-1")),
          makeDeployment("user", weight("-2"), { image: slow }),
          makeConfigMap("waits", { ...weight("7"), "werf.io/delete-dependency-user": "state=absent,kind=Deployment,name=user" }),
        ],
      },
      {
        do: "delete",
        expect: { order: ["configmap/store gone < deployment/user going < deployment/user gone < configmap/waits going"], records: [] },
      },
    ],
  },
  {
    name: "in an upgrade too an object with a delete dependency goes when that is gone",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("user"),
          makeJob("tool", weight("1")),
          makeConfigMap("waits", { ...weight("2"), "werf.io/delete-dependency-user": "state=absent,kind=Deployment,name=user" }),
          makeConfigMap("stays"),
        ],
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("stays")],
        expect: {
          order: ["job/tool gone < deployment/user going < deployment/user gone < configmap/waits gone"],
          there: ["configmap/stays"],
          records: ["1 superseded", "2 deployed"],
        },
      },
    ],
  },
];
