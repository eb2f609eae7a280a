import type { Answer } from "../../core/exchange/index.ts";
import type { ApiServer } from "../apiserver/index.ts";
import { StatusError } from "../status-error.ts";
import { plainAnswer } from "./answer.ts";
import type { RequestScope } from "./request-scope.ts";
import { methodNotAllowed } from "./write.ts";

/** Below the documents and the built-in groups the router of built-in kinds answers, otherwise that of everything else. */
export function unroutedPath(path: string): Answer {
  if (/^\/(api|apis|version)\//.test(path)) throw notServed();
  return plainAnswer(404, "404 page not found\n");
}

/** An unknown group is an unknown path; an unknown resource of a known group is not found. */
export function unknownPath(path: string, { catalog }: ApiServer): Answer {
  const [root, name] = path.split("/").filter((part) => part !== "");
  const group = root === "api" ? "" : root === "apis" ? name : undefined;
  if (catalog.all().some((resource) => resource.group === group && resource.custom === undefined)) throw notServed();
  if (root === "version") throw notServed();
  return plainAnswer(404, "404 page not found\n");
}

/** Paths whose namespace does not fit the resource's scope. */
export function misplacedAnswer({ resource, target, request }: RequestScope): Answer | undefined {
  const { namespaced, custom } = resource;
  if (!namespaced && target.namespace !== "") {
    if (custom !== undefined) return plainAnswer(404, "404 page not found\n");
    throw notServed();
  }
  if (!namespaced || target.namespace !== "") return undefined;
  if (target.name !== "") throw notServed();
  if (request.method !== "GET") throw methodNotAllowed();
  return undefined;
}

export function notServed(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}
