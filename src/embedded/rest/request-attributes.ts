import { parseFieldSelector } from "../../core/object/index.ts";
import { booleanParameter } from "./query-parameters.ts";
import type { UserInfo } from "../authentication/index.ts";
import type { Attributes } from "../authorization/index.ts";

const verbs: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

const namespaceSubresources = new Set(["status", "finalize"]);
const specialVerbs = new Set(["proxy", "watch"]);

/** What a request asks to do. Models apiserver pkg/endpoints/request/requestinfo.go */
export function attributesOf(user: UserInfo, method: string, path: string, query: URLSearchParams): Attributes {
  const parts = partsOf(path);
  const grouped = parts[0] === "apis";
  if ((parts[0] !== "api" && !grouped) || parts.length < (grouped ? 4 : 3)) {
    return { user, verb: method.toLowerCase(), path };
  }
  const group = grouped ? parts[1]! : "";
  const rest = parts.slice(grouped ? 3 : 2);
  const special = specialVerbs.has(rest[0]!) && rest.length > 1 ? rest.shift()! : undefined;
  let namespace = "";
  if (rest[0] === "namespaces" && rest.length > 1) {
    namespace = rest[1]!;
    if (rest.length > 2 && !namespaceSubresources.has(rest[2]!)) rest.splice(0, 2);
  }
  const [resource = "", named = "", third = ""] = rest;
  const subresource = special === "proxy" ? "" : third;
  const verb = special ?? verbs[method] ?? "";
  if (named === "" && verb === "get") {
    const asked = isWatched(query) ? "watch" : "list";
    return { user, verb: asked, group, resource, subresource, namespace, name: selectedName(query) };
  }
  return {
    user,
    verb: named === "" && verb === "delete" ? "deletecollection" : verb,
    group,
    resource,
    subresource,
    namespace,
    name: named,
  };
}

function partsOf(path: string): string[] {
  const trimmed = path.replaceAll(/^\/+|\/+$/g, "");
  return trimmed === "" ? [] : trimmed.split("/");
}

function isWatched(query: URLSearchParams): boolean {
  return booleanParameter(query, "watch") ?? false;
}

/** The name that a field selector requires, if it does. */
function selectedName(query: URLSearchParams): string {
  const text = query.get("fieldSelector");
  if (text === null || text === "") return "";
  try {
    const { requirements } = parseFieldSelector(text);
    const required = requirements.find(({ field, operator }) => field === "metadata.name" && operator === "=");
    return required === undefined || /[/%]|^\.\.?$/.test(required.value) ? "" : required.value;
  } catch {
    return ""; // the handler refuses a selector that is not valid
  }
}
