/** What goes along with a workload that is deleted, and how long its deletion takes. */
import { makeConfigMap, makeDeployment } from "../objects.ts";
import type { ThirdPartyClient, ReleaseScenario } from "../scenario.ts";
import type { GroupVersionKind } from "../../../src/core/object/index.ts";

const pods = { group: "", version: "v1", kind: "Pod" };
const replicaSets = { group: "apps", version: "v1", kind: "ReplicaSet" };

export const dependentScenarios: readonly ReleaseScenario[] = [
  {
    name: "a deletion goes on and ends only when the pods of its workloads are gone",
    also: [replicaSets, pods],
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("settings"), makeDeployment("web", { "werf.io/weight": "1" })],
      },
      {
        do: "delete",
        expect: {
          order: ["deployment/web gone < configmap/settings gone"],
          absent: ["deployment/web", "configmap/settings"],
          progressLines: [/^waiting await deployment\/web: it is gone, but not .*(?:pod|replicaset)\/web-/],
          more: hasNone(replicaSets, pods),
        },
      },
    ],
  },
  {
    name: "werf.io/delete-propagation says what goes along",
    also: [replicaSets],
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("orphans", { "werf.io/delete-propagation": "Orphan" }),
          makeDeployment("whole", { "werf.io/delete-propagation": "Foreground" }),
          makeDeployment("quick", { "werf.io/delete-propagation": "Background" }),
        ],
      },
      {
        do: "delete",
        expect: {
          absent: ["deployment/orphans", "deployment/whole", "deployment/quick"],
          progressLines: [/^waiting await deployment\/whole: .*foregroundDeletion/],
          more: hasReplicaSets("orphans"),
        },
      },
    ],
  },
];

function hasNone(...kinds: readonly GroupVersionKind[]) {
  return async ({ cluster, namespace }: ThirdPartyClient) => {
    for (const kind of kinds) {
      const { items } = await cluster.list(kind, { namespace });
      if (items.length > 0) throw new Error(`there are still ${items.length} of kind ${kind.kind}`);
    }
  };
}

function hasReplicaSets(...owners: readonly string[]) {
  return async ({ cluster, namespace }: ThirdPartyClient) => {
    const { items } = await cluster.list(replicaSets, { namespace });
    const found = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.labels?.["app"]);
    if (found.join() !== owners.join()) throw new Error(`the replica sets left are of ${found.join()}, not of ${owners.join()}`);
  };
}
