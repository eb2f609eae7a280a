/** Evaluates the rules of ClusterRoles and Roles, and computes the access that requests need. */
import type { Request } from "../../src/core/exchange/index.ts";
import { listAt, stringAt, stringsAt, type KubeObject } from "../../src/core/object/index.ts";

/** The access that a request needs: `patch lib.projectsveltos.io eventsources/status` of an object. */
export type AccessRequest = {
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `eventsources/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
};

/** A rule, for one namespace or for all. */
type Rule = {
  readonly namespace: string | undefined;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly names: readonly string[];
};

const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
const pattern = /^\/(?:api\/[^/]+|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/[^/]))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/;

/**
 * The access that a request needs; none for requests without a resource, such as discovery.
 * Models apiserver/pkg/endpoints/request/requestinfo.go NewRequestInfo, and handlers/patch.go for what apply may create
 */
export function accessRequestsOf({ method, path, headers }: Pick<Request, "method" | "path" | "headers">): readonly AccessRequest[] {
  const [, account, of] = /^system:serviceaccount:([^:]+):(.+)$/.exec(headers["impersonate-user"] ?? "") ?? [];
  // What it asks for then is the other one's to be allowed.
  if (account !== undefined) return [{ verb: "impersonate", group: "", resource: "serviceaccounts", namespace: account, name: of ?? "" }];
  const [plain = "", query = ""] = path.split("?");
  const [matched, group = "", namespace = "", plural = "", name = "", subresource = ""] = pattern.exec(plain) ?? [];
  if (matched === undefined) return [];
  const read = name !== "" ? "get" : new URLSearchParams(query).get("watch") === "true" ? "watch" : "list";
  const verb = method === "GET" ? read : method === "DELETE" && name === "" ? "deletecollection" : (verbs[method] ?? method);
  const accessRequest = { verb, group, resource: subresource === "" ? plural : `${plural}/${subresource}`, namespace, name };
  const isApply = method === "PATCH" && (headers["content-type"] ?? "").startsWith("application/apply-patch");
  return isApply && subresource === "" ? [accessRequest, { ...accessRequest, verb: "create", name: "" }] : [accessRequest];
}

/** Whether the ClusterRoles and Roles among these objects allow a request, each bound to its user. */
export function isAllowed(objects: readonly KubeObject[], accessRequest: AccessRequest): boolean {
  return rulesOf(objects).some((rule) => covers(rule, accessRequest));
}

/** The rights that none of these requests needs: `clusterrole: delete secrets`. */
export function unusedRules(objects: readonly KubeObject[], accessRequests: readonly AccessRequest[]): readonly string[] {
  return rulesOf(objects).flatMap((rule) =>
    rule.resources.flatMap((resource) =>
      rule.verbs
        .map((verb): Rule => ({ ...rule, resources: [resource], verbs: [verb] }))
        .filter((single) => !accessRequests.some((accessRequest) => covers(single, accessRequest)))
        .map(({ verbs: [verb] }) => `${verb} ${resource}`),
    ),
  );
}

export function accessRequestText({ verb, group, resource, namespace, name }: AccessRequest): string {
  return `${verb} ${resource}${group === "" ? "" : `.${group}`} ${namespace}/${name}`;
}

function rulesOf(objects: readonly KubeObject[]): readonly Rule[] {
  return objects
    .filter(({ kind }) => kind === "ClusterRole" || kind === "Role")
    .flatMap((object) =>
      listAt(object, "rules").map((rule) => ({
        namespace: object.kind === "Role" ? stringAt(object, "metadata.namespace", "") : undefined,
        groups: stringsAt(rule, "apiGroups"),
        resources: stringsAt(rule, "resources"),
        verbs: stringsAt(rule, "verbs"),
        names: stringsAt(rule, "resourceNames"),
      })),
    );
}

function covers({ namespace, groups, resources, verbs: allowed, names }: Rule, accessRequest: AccessRequest): boolean {
  if (namespace !== undefined && accessRequest.namespace !== namespace) return false;
  if (names.length > 0 && !names.includes(accessRequest.name)) return false;
  return includes(groups, accessRequest.group) && includes(resources, accessRequest.resource) && includes(allowed, accessRequest.verb);
}

function includes(list: readonly string[], item: string): boolean {
  return list.includes("*") || list.includes(item);
}
