import type { Answer, Request } from "../../exchange/index.ts";
import { objectionToServe, type ApiServer, type Resource } from "../api/index.ts";
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  builtInGroups,
  type ApiGroup,
  type ApiResource,
} from "../data/index.ts";
import { jsonAnswer } from "./answer.ts";

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Answers what the cluster can do: `/api`, `/apis` and below, in both forms. */
export class Discovery {
  readonly #server: ApiServer;
  #groups: readonly ApiGroup[] = [];
  #generation = -1;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  /** The answer for a path, if it is one of discovery's. */
  answer(path: string, request: Request): Answer | undefined {
    const parts = path.split("/").filter((part) => part !== "");
    if (parts[0] === "api") return this.#core(parts.slice(1), request);
    if (parts[0] === "apis") return this.#named(parts.slice(1), request);
    return undefined;
  }

  #core(parts: readonly string[], request: Request): Answer | undefined {
    const core = this.groups.filter(({ name }) => name === "");
    if (parts.length === 0) return asksForAll(request) ? aggregated(core) : json(apiVersions("127.0.0.1:443"));
    return parts.length === 1 && parts[0] === "v1" ? json(apiResourceList(core[0]!, core[0]!.versions[0]!)) : undefined;
  }

  #named([name, version, ...rest]: readonly string[], request: Request): Answer | undefined {
    const groups = this.groups.filter((group) => group.name !== "");
    if (name === undefined) return asksForAll(request) ? aggregated(groups) : json(apiGroupList(groups));
    const group = groups.find((item) => item.name === name);
    if (group === undefined || rest.length > 0) return undefined;
    if (version === undefined) return json(apiGroup(group));
    const found = group.versions.find((item) => item.version === version);
    return found === undefined ? undefined : json(apiResourceList(group, found));
  }

  /** The built-in groups and those of the definitions, as they are now. */
  get groups(): readonly ApiGroup[] {
    const { catalog } = this.#server;
    if (this.#generation === catalog.generation) return this.#groups;
    this.#generation = catalog.generation;
    this.#groups = merged(servedGroups(), catalog.custom());
    return this.#groups;
  }
}

function servedGroups(): readonly ApiGroup[] {
  return builtInGroups().flatMap(({ name, versions }) => {
    const served = versions.filter(({ version }) => objectionToServe(name, version) === undefined);
    return served.length === 0 ? [] : [{ name, versions: served }];
  });
}

function merged(groups: readonly ApiGroup[], custom: readonly Resource[]): readonly ApiGroup[] {
  const all = new Map(groups.map((group) => [group.name, group]));
  for (const resource of custom) {
    const group = all.get(resource.group) ?? { name: resource.group, versions: [] };
    const version = group.versions.find((item) => item.version === resource.version) ?? { version: resource.version, resources: [] };
    const grown = { ...version, resources: [...version.resources, ...entriesOf(resource)] };
    const versions = [...group.versions.filter((item) => item.version !== resource.version), grown].sort((a, b) => byPriority(a.version, b.version));
    all.set(resource.group, { name: resource.group, versions });
  }
  return [...all.values()];
}

function entriesOf(resource: Resource): readonly ApiResource[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, subresources } = resource;
  const names = { ...(shortNames.length > 0 ? { shortNames } : {}), ...(categories.length > 0 ? { categories } : {}) };
  const own: ApiResource = { name: plural, singularName: singular, namespaced, kind, verbs, ...names };
  const below = [...subresources].map((name): ApiResource => {
    const scale = name === "scale" ? { group: "autoscaling", version: "v1", kind: "Scale" } : { kind };
    return { name: `${plural}/${name}`, singularName: "", namespaced, verbs: ["get", "patch", "update"], ...scale };
  });
  return [own, ...below];
}

const spelled = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** v2, v1, v1beta2, v1alpha1, then the rest by name. Models apimachinery pkg/version/helpers.go CompareKubeAwareVersionStrings */
function byPriority(a: string, b: string): number {
  const [left, right] = [spelled.exec(a), spelled.exec(b)];
  if (left === null || right === null) return left === right ? (a < b ? -1 : 1) : left === null ? 1 : -1;
  const stage = (match: RegExpExecArray) => (match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0);
  return stage(right) - stage(left) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

function asksForAll({ headers }: Request): boolean {
  return (headers["accept"] ?? "").replaceAll(" ", "").includes("as=APIGroupDiscoveryList");
}

function aggregated(groups: readonly ApiGroup[]): Answer {
  return { status: 200, headers: { "content-type": aggregatedType }, body: [JSON.stringify(aggregatedDiscovery(groups))] };
}

function json(value: unknown): Answer {
  return jsonAnswer(200, JSON.stringify(value));
}
