import type { Cluster } from "../../../src/kube/index.ts";
import { groupVersionOf, keyOf, refOf, type KubeObject } from "../../../src/core/object/index.ts";
import type { RecordedScenario } from "./recorded-scenario.ts";

const sveltosGroups = new Set(["lib.projectsveltos.io", "config.projectsveltos.io"]);

/** Created by Kubernetes' own controllers for objects of a cluster. */
function isMadeByKubernetes({ kind, metadata }: KubeObject): boolean {
  switch (kind) {
    case "ConfigMap":
      return metadata.name === "kube-root-ca.crt";
    case "ServiceAccount":
      return metadata.name === "default";
    case "Endpoints":
      return metadata.labels?.["endpoints.kubernetes.io/managed-by"] !== undefined;
    case "EndpointSlice":
      return metadata.labels?.["endpointslice.kubernetes.io/managed-by"] !== undefined;
    case "Pod":
    case "ReplicaSet":
      return (metadata.ownerReferences ?? []).some(({ controller }) => controller === true);
    default:
      return false;
  }
}

function hasSveltosMetadata({ metadata }: KubeObject): boolean {
  return Object.keys({ ...metadata.labels, ...metadata.annotations }).some((key) => /(^|\.)projectsveltos\.io\//.test(key));
}

/** The scope of the recorder: the kinds of Sveltos, and the kinds that it recorded on that side. */
export class RecordScope {
  readonly #versions = new Map<string, string>();
  readonly #recorded = new Set<string>();

  constructor(scenarios: readonly RecordedScenario[]) {
    for (const { after = {} } of scenarios.flatMap(({ steps }) => steps)) {
      for (const [cluster, objects] of Object.entries(after)) for (const object of objects) this.#note(cluster, object);
    }
  }

  #note(cluster: string, object: KubeObject): void {
    const { group, version, kind } = refOf(object);
    this.#versions.set(`${group}/${kind}`, version);
    this.#recorded.add(`${sideOf(cluster)} ${group}/${kind}`);
  }

  /** The version of a kind in the record. */
  versionOf({ group, kind, version }: { group: string; kind: string; version: string }): string {
    return this.#versions.get(`${group}/${kind}`) ?? version;
  }

  includes(cluster: string, object: KubeObject): boolean {
    if (isMadeByKubernetes(object) || unseen.has(object.kind)) return false;
    const { group } = groupVersionOf(object.apiVersion);
    if (sveltosGroups.has(group)) return true;
    return this.#recorded.has(`${sideOf(cluster)} ${group}/${object.kind}`) || hasSveltosMetadata(object);
  }
}

/** The setup of every scenario, which the record leaves out. */
const unseen = new Set(["SveltosCluster", "CustomResourceDefinition"]);

function sideOf(cluster: string): string {
  return cluster === "management" ? cluster : "managed";
}

/** Lists every object of a cluster, in the versions of the record. */
export async function listAllObjects(cluster: Cluster, scope: RecordScope): Promise<readonly KubeObject[]> {
  const served = await cluster.discovery.resources({ fresh: true });
  const resources = served.filter(({ kind, verbs }) => verbs.includes("list") && verbs.includes("watch") && !unseen.has(kind));
  const lists = await Promise.all(
    resources.map(async (resource) => {
      const { items } = await cluster.list({ group: resource.group, version: scope.versionOf(resource), kind: resource.kind });
      return items;
    }),
  );
  return lists.flat();
}

/** The objects that the scenario has created, and those that the record has. Objects from before count only then. */
export function objectsInScope(
  objects: readonly KubeObject[],
  about: { cluster: string; scope: RecordScope; before: ReadonlySet<string>; recorded: readonly KubeObject[] },
): readonly KubeObject[] {
  const names = new Set(about.recorded.map((object) => keyOf(refOf(object))));
  return objects.filter((object) => {
    if (names.has(keyOf(refOf(object)))) return true;
    return about.scope.includes(about.cluster, object) && !about.before.has(object.metadata.uid ?? "");
  });
}
