import { Fault } from "../core/fault/index.ts";
import { apiVersionOf, isFields, stringAt, type KubeObject } from "../core/object/index.ts";
import { AnswerTooLargeFault, maxListBytes, sizeText } from "./answer-limit.ts";
import { isApiFault, isGone } from "./api-fault.ts";
import type { RestClient } from "./rest-client.ts";
import { groupResourceOf, pathOf, withQuery, type Resource } from "./resource.ts";
import { namespaceSuffix, type Abortable, type Selection } from "./selection.ts";

export type ListOptions = Selection &
  Abortable & {
    /** Objects per request. Default 500. 0 requests all in one. */
    readonly limit?: number;
    /** Characters of all pages together. Default: 512 MiB. */
    readonly maxLength?: number;
    readonly resourceVersion?: string;
    readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
    /** Reduces each object as soon as its page has arrived: not all of them are in memory as they were sent. Default: none. */
    readonly transform?: (object: KubeObject) => KubeObject;
    /** Receives the objects of each page when they have arrived; all of them again when the list had to start again. */
    readonly onPage?: (objects: readonly KubeObject[]) => void;
  };

/** Objects at one resourceVersion. */
export type ObjectList = { readonly items: readonly KubeObject[]; readonly resourceVersion: string };

/** One page of a list. `left` is the number of remaining objects, if the server reports it. */
export type ListPage = ObjectList & { readonly left: number | undefined };

type RawPage = ListPage & { readonly continueToken: string };

const pageSize = 500;
/** After this many expired lists, all objects are requested at once, which cannot expire. */
const maxPagedAttempts = 3;

/** Lists all objects at one resourceVersion, and starts again when it expires. */
export async function listAll(client: RestClient, resource: Resource, options: ListOptions): Promise<ObjectList> {
  for (let attempt = 1; ; attempt++) {
    const limit = attempt > maxPagedAttempts ? 0 : options.limit;
    try {
      return await listOnce(client, resource, limit === undefined ? options : { ...options, limit });
    } catch (error) {
      // An exact resourceVersion that has expired does not come back.
      if (!isGone(error) || attempt > maxPagedAttempts || options.resourceVersionMatch === "Exact") throw error;
    }
  }
}

async function listOnce(client: RestClient, resource: Resource, options: ListOptions): Promise<ObjectList> {
  const { transform, onPage } = options;
  const measure = listMeter(resource, options);
  const items: KubeObject[] = [];
  for (let token = ""; ;) {
    const page = await readPage(client, resource, options, token, measure);
    const arrived = transform === undefined ? page.items : page.items.map(transform);
    options.signal?.throwIfAborted();
    onPage?.(arrived);
    token = page.continueToken;
    if (token === "" && items.length === 0) return { items: arrived, resourceVersion: page.resourceVersion };
    for (const item of arrived) items.push(item);
    if (token === "") return { items, resourceVersion: page.resourceVersion };
  }
}

/** Lists page by page. When the resourceVersion expires, the rest is read at a newer one, if the server supports that. */
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

/** What a page counts at least, so that empty pages end too. */
const leastPageLength = 4096;

/** Adds up the pages of a list, and throws when they are more than may be kept. */
function listMeter(resource: Resource, { namespace = "", maxLength = maxListBytes }: ListOptions): (length: number) => void {
  let total = 0;
  return (length) => {
    total += Math.max(length, leastPageLength);
    if (total <= maxLength) return;
    const what = `list ${groupResourceOf(resource)}${namespaceSuffix(namespace)}`;
    throw new Fault(`${what}: all pages together have more than ${sizeText(maxLength)}, which is the most that is kept`, undefined, {
      final: true,
    });
  };
}

/** Reads a page. When it is too long for one answer, fewer objects are requested at a time. */
async function readPage(
  client: RestClient,
  resource: Resource,
  options: ListOptions,
  token: string,
  measure?: (length: number) => void,
): Promise<RawPage> {
  for (let { limit = pageSize } = options; ; limit = Math.ceil(limit / 8)) {
    try {
      return await readPageOf(client, resource, { ...options, limit }, token, measure);
    } catch (error) {
      if (!(error instanceof AnswerTooLargeFault) || limit <= 1) throw error;
    }
  }
}

async function readPageOf(
  client: RestClient,
  resource: Resource,
  options: ListOptions,
  token: string,
  measure: ((length: number) => void) | undefined,
): Promise<RawPage> {
  const { namespace = "", labelSelector, fieldSelector, limit = pageSize, resourceVersion, resourceVersionMatch, signal } = options;
  // The API refuses a resourceVersion beside a continue token, which contains one.
  const since = token === "" ? { resourceVersion, resourceVersionMatch } : { continue: token };
  const path = withQuery(pathOf(resource, namespace), { labelSelector, fieldSelector, limit: limit === 0 ? undefined : limit, ...since });
  const doing = `list ${groupResourceOf(resource)}${namespaceSuffix(namespace)}`;
  return pageOf(doing, resource, await client.json({ doing, method: "GET", path, signal, ...(measure === undefined ? {} : { measure }) }));
}

function pageOf(doing: string, resource: Resource, body: unknown): RawPage {
  const items = isFields(body) ? (body["items"] ?? []) : undefined;
  if (!isFields(body) || !Array.isArray(items) || !items.every(isNamed)) throw new Fault(`${doing}: the answer is no list of objects`);
  const metadata = isFields(body["metadata"]) ? body["metadata"] : {};
  const left = metadata["remainingItemCount"];
  return {
    items: withTypeMeta(items, resource),
    resourceVersion: stringAt(metadata, "resourceVersion", ""),
    continueToken: stringAt(metadata, "continue", ""),
    left: typeof left === "number" ? left : undefined,
  };
}

function isNamed(item: unknown): item is KubeObject {
  return isFields(item) && isFields(item["metadata"]) && typeof item["metadata"]["name"] === "string";
}

/** Adds apiVersion and kind to the items of a list: built-in kinds omit them there. */
function withTypeMeta(items: readonly KubeObject[], resource: Resource): readonly KubeObject[] {
  const apiVersion = apiVersionOf(resource);
  const { kind } = resource;
  return items.map((item) => (item.kind === undefined ? Object.assign({ apiVersion, kind }, item) : item));
}
