import { createHash } from "node:crypto";
import type { Answer, Request } from "../../core/exchange/index.ts";
import type { ApiServer, ServedResource } from "../apiserver/index.ts";
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions, builtInGroups, type ApiGroup } from "../data/index.ts";
import { compareKubeAwareVersions, discoveryVersion } from "../crd/index.ts";
import { encodedAnswer } from "./answer.ts";
import { negotiateMediaType, noTransform, notAcceptable } from "./negotiation.ts";
import { encoderFor } from "./response-encoder.ts";

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Serves `/api`, `/apis` and the paths below, in both forms of discovery. */
export class DiscoveryHandler {
  readonly #server: ApiServer;
  #groups: readonly ApiGroup[] = [];
  #generation = -1;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  /** The answer for a discovery path; undefined for other paths. */
  answer(path: string, request: Request): Answer | undefined {
    const parts = path.split("/").filter((part) => part !== "");
    if (parts[0] === "api") return this.#core(parts.slice(1), request);
    if (parts[0] === "apis") return this.#named(parts.slice(1), request);
    return undefined;
  }

  #core(parts: readonly string[], request: Request): Answer | undefined {
    const core = this.groups.filter(({ name }) => name === "");
    if (parts.length === 0) return asksForAll(request) ? aggregated(request, core) : documentAnswer(request, apiVersions("127.0.0.1:443"));
    return parts.length === 1 && parts[0] === "v1" ? documentAnswer(request, apiResourceList(core[0]!, core[0]!.versions[0]!)) : undefined;
  }

  #named([name, version, ...rest]: readonly string[], request: Request): Answer | undefined {
    const groups = this.groups.filter((group) => group.name !== "");
    if (name === undefined) return asksForAll(request) ? aggregated(request, groups) : documentAnswer(request, apiGroupList(groups));
    const group = groups.find((item) => item.name === name);
    if (group === undefined || rest.length > 0) return undefined;
    if (version === undefined) return documentAnswer(request, apiGroup(group));
    const found = group.versions.find((item) => item.version === version);
    return found === undefined ? undefined : documentAnswer(request, apiResourceList(group, found));
  }

  /** The built-in groups and those of CRDs, as they are now. */
  get groups(): readonly ApiGroup[] {
    const { catalog } = this.#server;
    if (this.#generation === catalog.generation) return this.#groups;
    this.#generation = catalog.generation;
    this.#groups = merged(builtInGroups(), catalog.custom());
    return this.#groups;
  }
}

function merged(groups: readonly ApiGroup[], custom: readonly ServedResource[]): readonly ApiGroup[] {
  const all = new Map(groups.map((group) => [group.name, group]));
  for (const resource of custom) {
    const group = all.get(resource.group) ?? { name: resource.group, versions: [] };
    const version = group.versions.find((item) => item.version === resource.version);
    const own = discoveryVersion(resource.version, [resource.custom!.served]);
    const grown = { ...own, resources: [...(version?.resources ?? []), ...own.resources] };
    const versions = [...group.versions.filter((item) => item.version !== resource.version), grown].sort((a, b) =>
      compareKubeAwareVersions(b.version, a.version),
    );
    all.set(resource.group, { name: resource.group, versions });
  }
  return [...all.values()];
}

/** Older clients ask for v2beta1 first, which is gone, and for the plain form otherwise. Models IsAggregatedDiscoveryGVK */
function asksForAll({ headers }: Request): boolean {
  const options = negotiateMediaType(
    headers["accept"] ?? "",
    (_mediaType, convert) =>
      convert === undefined ||
      (convert.group === "apidiscovery.k8s.io" && convert.version === "v2" && convert.kind === "APIGroupDiscoveryList"),
  );
  return options?.convert !== undefined;
}

function aggregated(request: Request, groups: readonly ApiGroup[]): Answer {
  const text = encoderFor(request, "application/json").encode({ kind: "", ...aggregatedDiscovery(groups) });
  const etag = `"${createHash("sha512").update(text).digest("hex").toUpperCase()}"`;
  const headers = { "cache-control": "public", etag, vary: "Accept" };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: [] };
  return { status: 200, headers: { ...headers, "content-type": aggregatedType }, body: [text] };
}

function documentAnswer(request: Request, document: Readonly<Record<string, unknown>>): Answer {
  const options = negotiateMediaType(request.headers["accept"] ?? "", noTransform);
  if (options === undefined) throw notAcceptable();
  return encodedAnswer(encoderFor(request, options.mediaType), 200, { kind: "", ...document });
}
