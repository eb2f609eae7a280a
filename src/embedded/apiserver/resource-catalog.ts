import { builtInGroups, type ApiGroup, type ApiResource } from "../data/index.ts";
import type { ServedResource } from "./served-resource.ts";

/** Resources that are a second spelling of one of the core group, by group resource. */
const spelledTwice = new Set(["events.events.k8s.io"]);

/** The resources of the cluster: built-in ones, and those of CRDs. */
export class ResourceCatalog {
  readonly #builtIn: readonly ServedResource[];
  readonly #byPath = new Map<string, ServedResource>();
  readonly #stored = new Map<string, ServedResource>();
  readonly #byKind = new Map<string, ServedResource>();
  readonly #custom = new Map<string, readonly ServedResource[]>();
  #generation = 0;

  constructor() {
    this.#builtIn = builtInGroups().flatMap(resourcesOf);
    for (const resource of this.#builtIn) this.#add(resource);
  }

  /** Increases whenever a resource is added or removed. */
  get generation(): number {
    return this.#generation;
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  withKind(group: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(`${group}/${kind}`);
  }

  /** The resource `deployments.apps`, in its storage version. */
  stored(key: string): ServedResource | undefined {
    return this.#stored.get(key);
  }

  /** The versions of the resource `deployments.apps`. */
  versionsOf(key: string): readonly ServedResource[] {
    return this.#custom.get(key) ?? this.#builtIn.filter((resource) => resource.key === key);
  }

  /** Every resource once, in its storage version. */
  all(): readonly ServedResource[] {
    return [...this.#stored.values()];
  }

  /** The resources of CRDs, one entry for each served version. */
  custom(): readonly ServedResource[] {
    return [...this.#custom.values()].flat();
  }

  /** Serves the versions of a CRD from now on, instead of those it served before. */
  addCustom(key: string, versions: readonly ServedResource[]): void {
    this.#remove(key);
    this.#custom.set(key, versions);
    for (const resource of versions) this.#add(resource);
    this.#generation++;
  }

  removeCustom(key: string): void {
    if (!this.#custom.has(key)) return;
    this.#remove(key);
    this.#generation++;
  }

  #add(resource: ServedResource): void {
    const { group, version, plural, kind, key, storageVersion } = resource;
    this.#byPath.set(`${group}/${version}/${plural}`, resource);
    const isSecondSpelling = resource.storageGroup !== undefined;
    if (isSecondSpelling) this.#byKind.set(`${group}/${kind}`, resource);
    if (isSecondSpelling || (version !== storageVersion && this.#stored.has(key))) return;
    this.#stored.set(key, resource);
    this.#byKind.set(`${group}/${kind}`, resource);
  }

  #remove(key: string): void {
    for (const { group, version, plural, kind } of this.#custom.get(key) ?? []) {
      this.#byPath.delete(`${group}/${version}/${plural}`);
      this.#byKind.delete(`${group}/${kind}`);
    }
    this.#stored.delete(key);
    this.#custom.delete(key);
  }
}

function resourcesOf({ name: group, versions }: ApiGroup): ServedResource[] {
  return versions.flatMap(({ version, resources }) => {
    const whole = resources.filter(({ name }) => !name.includes("/"));
    return whole.map((resource) => builtIn(group, version, versions[0]!.version, resource, resources));
  });
}

function builtIn(
  group: string,
  version: string,
  storageVersion: string,
  resource: ApiResource,
  siblings: readonly ApiResource[],
): ServedResource {
  const { name: plural, singularName: singular, namespaced, kind, verbs, shortNames = [], categories = [] } = resource;
  const prefix = `${plural}/`;
  const subresources = siblings.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name.slice(prefix.length));
  const groupResource = group === "" ? plural : `${plural}.${group}`;
  const isSecondSpelling = spelledTwice.has(groupResource);
  return {
    group,
    version,
    kind,
    plural,
    singular,
    namespaced,
    verbs,
    shortNames,
    categories,
    subresources: new Set(subresources),
    key: isSecondSpelling ? plural : groupResource,
    storageVersion,
    ...(isSecondSpelling ? { storageGroup: "" } : {}),
  };
}
