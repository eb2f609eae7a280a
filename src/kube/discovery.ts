import type { GroupVersionKind } from "../core/object/index.ts";
import { isNotFound } from "./api-fault.ts";
import type { RestClient } from "./rest-client.ts";
import { readAggregated, readGroupList, readResourceList, type ServedGroup, type ServedVersion } from "./discovery-document.ts";
import { resourceByName } from "./resource-by-name.ts";
import { groupPath, isResource, UnknownKind, type Resource, type KindOrResource } from "./resource.ts";
import { SingleFlight } from "./single-flight.ts";

const aggregated = {
  accept:
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
};

/**
 * A cache of the kinds that a server serves.
 *
 * It refreshes itself: for an unknown kind it asks the server again, for that group and version only. A negative answer
 * always comes from a request that started after the call, so a CRD that has just been established is found. A known
 * kind stays until a request shows that it is gone (see `invalidate`).
 */
export class Discovery {
  readonly #caller: RestClient;
  readonly #reading = new SingleFlight<void>();
  readonly #refreshing = new Map<string, SingleFlight<void>>();
  #groups: Map<string, ServedGroup> | undefined;

  constructor(client: RestClient) {
    this.#caller = client;
  }

  /** The resource of a kind. Undefined when the server does not serve it now. */
  async find(gvk: GroupVersionKind): Promise<Resource | undefined> {
    if (this.#groups === undefined) await this.#reading.run(() => this.#readAll(), { join: true });
    const known = this.#known(gvk);
    if (known !== undefined) return known;
    await this.#refresh(gvk);
    return this.#known(gvk);
  }

  /** The resource of a kind. Throws UnknownKind when the server does not serve it. */
  async resolve(target: KindOrResource): Promise<Resource> {
    if (isResource(target)) return target;
    const found = await this.find(target);
    if (found === undefined) throw new UnknownKind({ group: target.group, version: target.version, kind: target.kind });
    return found;
  }

  /** All groups. `fresh` bypasses the cache. */
  async groups({ fresh = false }: { fresh?: boolean } = {}): Promise<readonly ServedGroup[]> {
    if (fresh || this.#groups === undefined) await this.#reading.run(() => this.#readAll(), { join: !fresh });
    return [...(this.#groups ?? new Map<string, ServedGroup>()).values()];
  }

  /** All resources in their preferred versions. */
  async resources(options: { fresh?: boolean } = {}): Promise<readonly Resource[]> {
    const preferred = new Map<string, Resource>();
    for (const { group, versions } of await this.groups(options)) {
      for (const { resources } of versions) {
        for (const resource of resources) {
          const key = `${resource.plural}.${group}`;
          if (!preferred.has(key)) preferred.set(key, resource);
        }
      }
    }
    return [...preferred.values()];
  }

  /**
   * Finds a resource by any name of kubectl: `deploy`, `Deployment`, `deployments.apps`, `deployments.v1.apps`. Of
   * several groups, the first in discovery order wins.
   */
  async findByName(name: string): Promise<Resource | undefined> {
    const known = resourceByName(resourcesIn(await this.groups()), name);
    return known ?? resourceByName(resourcesIn(await this.groups({ fresh: true })), name);
  }

  /** Drops a group and version from the cache, after a request has shown that it is not served. */
  invalidate({ group, version }: { readonly group: string; readonly version: string }): void {
    this.#put(group, { version, resources: [], stale: false });
  }

  #known({ group, version, kind }: GroupVersionKind): Resource | undefined {
    const served = this.#groups?.get(group)?.versions.find((candidate) => candidate.version === version);
    return served?.resources.find((resource) => resource.kind === kind);
  }

  async #refresh(gvk: GroupVersionKind): Promise<void> {
    const path = groupPath(gvk);
    const flight = this.#refreshing.get(path) ?? new SingleFlight<void>();
    this.#refreshing.set(path, flight);
    const read = async () => {
      this.#put(gvk.group, { version: gvk.version, resources: await this.#readVersion(gvk), stale: false });
    };
    try {
      // A positive answer may come from a request that is in flight, a negative one may not.
      if (!flight.idle) await flight.run(read, { join: true });
      if (this.#known(gvk) === undefined) await flight.run(read);
    } finally {
      if (flight.idle) this.#refreshing.delete(path);
    }
  }

  async #readVersion(gv: { group: string; version: string }): Promise<readonly Resource[]> {
    try {
      return readResourceList(await this.#get(groupPath(gv)));
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  /** Replaces one version in the cache. A new one goes last, as the least preferred. */
  #put(group: string, served: ServedVersion): void {
    const versions = this.#groups?.get(group)?.versions ?? [];
    const at = versions.findIndex(({ version }) => version === served.version);
    const next = at < 0 ? [...versions, served] : versions.with(at, served);
    this.#groups?.set(group, { group, versions: next });
  }

  async #readAll(): Promise<void> {
    const [core, named] = await Promise.all([this.#get("/api", aggregated), this.#get("/apis", aggregated)]);
    const groups = [...(await this.#groupsIn(core)), ...(await this.#groupsIn(named))];
    this.#groups = new Map(groups.map((group) => [group.group, group]));
  }

  async #groupsIn(document: unknown): Promise<readonly ServedGroup[]> {
    const kind = typeof document === "object" && document !== null && "kind" in document ? document.kind : undefined;
    if (kind === "APIGroupDiscoveryList") return readAggregated(document);
    const groups = kind === "APIVersions" ? [{ group: "", versions: coreVersions(document) }] : readGroupList(document);
    return Promise.all(groups.map((group) => this.#readGroup(group)));
  }

  async #readGroup({ group, versions }: { group: string; versions: readonly string[] }): Promise<ServedGroup> {
    return { group, versions: await Promise.all(versions.map((version) => this.#readServed(group, version))) };
  }

  /** An aggregated API that is down must not affect the others. */
  async #readServed(group: string, version: string): Promise<ServedVersion> {
    try {
      return { version, resources: readResourceList(await this.#get(groupPath({ group, version }))), stale: false };
    } catch {
      return { version, resources: [], stale: true }; // a request for this version alone reports the reason (see #refresh)
    }
  }

  #get(path: string, headers = { accept: "application/json" }): Promise<unknown> {
    return this.#caller.json({ doing: `discover ${path}`, method: "GET", path, headers });
  }
}

function resourcesIn(groups: readonly ServedGroup[]): readonly Resource[] {
  return groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
}

function coreVersions(document: unknown): readonly string[] {
  const versions = typeof document === "object" && document !== null && "versions" in document ? document.versions : undefined;
  return Array.isArray(versions) ? versions.filter((version) => typeof version === "string") : [];
}
