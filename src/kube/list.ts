import { Fault } from "../core/fault/index.ts";
import { apiVersionOf, isFields, stringAt, type KubeObject } from "../core/object/index.ts";
import { isApiFault, isGone } from "./api-fault.ts";
import type { RestClient } from "./rest-client.ts";
import { groupResourceOf, pathOf, withQuery, type Resource } from "./resource.ts";
import { namespaceSuffix, type Abortable, type Selection } from "./selection.ts";

export type ListOptions = Selection &
  Abortable & {
    /** Objects per request. Default 500. 0 asks for all in one. */
    readonly limit?: number;
    readonly resourceVersion?: string;
    readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  };

/** Objects as they were at one moment. */
export type ObjectList = { readonly items: readonly KubeObject[]; readonly resourceVersion: string };

/** Some objects of a list. `left` is how many are still to come, where the server says so. */
export type ListPage = ObjectList & { readonly left: number | undefined };

type RawPage = ListPage & { readonly continueToken: string };

const pageSize = 500;
/** A list that keeps expiring is asked for in one piece at last, which cannot expire. */
const pagedTries = 3;

/** All objects, at one moment: when the moment expires on the way, the list begins again. */
export async function listAll(client: RestClient, resource: Resource, options: ListOptions): Promise<ObjectList> {
  for (let attempt = 1; ; attempt++) {
    const limit = attempt > pagedTries ? 0 : options.limit;
    try {
      return await listOnce(client, resource, limit === undefined ? options : { ...options, limit });
    } catch (error) {
      // A moment that was asked for by name does not come back.
      if (!isGone(error) || attempt > pagedTries || options.resourceVersionMatch === "Exact") throw error;
    }
  }
}

async function listOnce(client: RestClient, resource: Resource, options: ListOptions): Promise<ObjectList> {
  let page = await readPage(client, resource, options, "");
  if (page.continueToken === "") return { items: page.items, resourceVersion: page.resourceVersion };
  const items = [...page.items];
  while (page.continueToken !== "") {
    page = await readPage(client, resource, options, page.continueToken);
    for (const item of page.items) items.push(item);
  }
  return { items, resourceVersion: page.resourceVersion };
}

/** The list page by page. When its moment expires on the way, the rest is as of a newer one, where the server can do that. */
export async function* listPages(client: RestClient, resource: Resource, options: ListOptions): AsyncGenerator<ListPage> {
  let token = "";
  do {
    let page: RawPage;
    try {
      page = await readPage(client, resource, options, token);
    } catch (error) {
      const newer = isApiFault(error) && isGone(error) ? error.continueToken : undefined;
      if (newer === undefined || newer === token) throw error;
      token = newer;
      continue;
    }
    yield { items: page.items, resourceVersion: page.resourceVersion, left: page.left };
    token = page.continueToken;
  } while (token !== "");
}

async function readPage(client: RestClient, resource: Resource, options: ListOptions, token: string): Promise<RawPage> {
  const { namespace = "", labelSelector, fieldSelector, limit = pageSize, resourceVersion, resourceVersionMatch, signal } = options;
  // The API refuses a resourceVersion beside a continue token, which carries its own.
  const since = token === "" ? { resourceVersion, resourceVersionMatch } : { continue: token };
  const path = withQuery(pathOf(resource, namespace), { labelSelector, fieldSelector, limit: limit === 0 ? undefined : limit, ...since });
  const doing = `list ${groupResourceOf(resource)}${namespaceSuffix(namespace)}`;
  return pageOf(doing, resource, await client.json({ doing, method: "GET", path, signal }));
}

function pageOf(doing: string, resource: Resource, body: unknown): RawPage {
  const items = isFields(body) ? (body["items"] ?? []) : undefined;
  if (!isFields(body) || !Array.isArray(items) || !items.every(isNamed)) throw new Fault(`${doing}: the answer is no list of objects`);
  const metadata = isFields(body["metadata"]) ? body["metadata"] : {};
  const left = metadata["remainingItemCount"];
  return {
    items: titled(items, resource),
    resourceVersion: stringAt(metadata, "resourceVersion", ""),
    continueToken: stringAt(metadata, "continue", ""),
    left: typeof left === "number" ? left : undefined,
  };
}

function isNamed(item: unknown): item is KubeObject {
  return isFields(item) && isFields(item["metadata"]) && typeof item["metadata"]["name"] === "string";
}

/** Inside a list the built-in kinds do not say what they are; everywhere else an object does. */
function titled(items: readonly KubeObject[], resource: Resource): readonly KubeObject[] {
  const apiVersion = apiVersionOf(resource);
  const { kind } = resource;
  return items.map((item) => (item.kind === undefined ? Object.assign({ apiVersion, kind }, item) : item));
}
