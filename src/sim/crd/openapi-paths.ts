import { builtInDocument, parametersOf } from "./openapi-meta.ts";
import type { ServedVersion } from "./resource.ts";

type Node = Readonly<Record<string, unknown>>;

const prefix = "#/components/schemas/";
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const scaleModel = "io.k8s.api.autoscaling.v1.Scale";

/** The models of built-in kinds that the paths of custom resources speak of, with all that those speak of. */
export function schemasUsed(hasScale: boolean): Node {
  const own = builtInDocument("apis/apiextensions.k8s.io/v1").components.schemas;
  const used = Object.entries(own).filter(([name]) => name.startsWith(meta) || name.includes(".runtime."));
  const scale = hasScale ? builtInDocument("apis/apps/v1").components.schemas : {};
  return Object.fromEntries([...used, ...Object.entries(scale).filter(([name]) => name.startsWith(scaleModel))]);
}

/** What one kind of request is like. */
type Route = {
  readonly method: string;
  readonly action: string;
  readonly verb: string;
  readonly answer: string;
  readonly body?: string;
  readonly codes: readonly string[];
};

const descriptions: Readonly<Record<string, string>> = { "200": "OK", "201": "Created", "202": "Accepted" };
const patchTypes = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];

/** The paths of a version of a definition. */
export function pathsOf(version: ServedVersion, model: string, listModel: string): Node {
  const { group, plural, namespaced, hasStatus, scale } = version;
  const root = `/apis/${group}/${version.version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const list: Route = { method: "get", action: "list", verb: "list", answer: listModel, codes: ["200"] };
  const changes = changeRoutes(model);
  return {
    ...(namespaced ? { [`${root}/${plural}`]: item(version, [list], { suffix: "ForAllNamespaces", on: "collection" }) } : {}),
    [collection]: item(version, [list, ...collectionRoutes(model)], { on: "collection", namespaced }),
    [`${collection}/{name}`]: item(version, [...changes, deleteRoute], { on: "object", namespaced }),
    ...(hasStatus ? { [`${collection}/{name}/status`]: item(version, changes, { on: "object", namespaced, suffix: "Status" }) } : {}),
    ...(scale === undefined
      ? {}
      : { [`${collection}/{name}/scale`]: item(version, changeRoutes(scaleModel), { on: "object", namespaced, suffix: "Scale" }) }),
  };
}

function collectionRoutes(model: string): readonly Route[] {
  return [
    { method: "post", action: "post", verb: "create", answer: model, body: model, codes: ["200", "201", "202"] },
    { method: "delete", action: "deletecollection", verb: "deleteCollection", answer: `${meta}.Status`, codes: ["200"] },
  ];
}

function changeRoutes(model: string): readonly Route[] {
  return [
    { method: "get", action: "get", verb: "read", answer: model, codes: ["200"] },
    { method: "put", action: "put", verb: "replace", answer: model, body: model, codes: ["200", "201"] },
    { method: "patch", action: "patch", verb: "patch", answer: model, body: `${meta}.Patch`, codes: ["200"] },
  ];
}

const deleteRoute: Route = {
  method: "delete",
  action: "delete",
  verb: "delete",
  answer: `${meta}.Status`,
  body: `${meta}.DeleteOptions`,
  codes: ["200", "202"],
};

type Place = { readonly on: "object" | "collection"; readonly namespaced?: boolean; readonly suffix?: string };

function item(version: ServedVersion, routes: readonly Route[], place: Place): Node {
  const inPath = [...(place.namespaced === true ? ["namespace"] : []), ...(place.on === "object" ? ["name"] : [])];
  return {
    ...Object.fromEntries(routes.map((route) => [route.method, operation(version, route, place)])),
    parameters: inPath.map((name) => ({ name, in: "path", required: true, schema: { type: "string", uniqueItems: true } })),
  };
}

function operation({ group, version, kind }: ServedVersion, route: Route, { on, namespaced = false, suffix = "" }: Place): Node {
  const { method, action, verb, answer, body, codes } = route;
  const tag = `${group.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase())}_${version}`;
  const name = [group, version].map((part) => part.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())).join("");
  const types = method === "patch" ? patchTypes : ["application/json", "application/yaml"];
  return {
    description: `${verb} ${on === "object" ? "the specified" : "objects of kind"} ${kind}`,
    operationId: `${verb}${name}${namespaced ? "Namespaced" : ""}${kind}${suffix}`,
    tags: [tag],
    parameters: parametersOf(method, on),
    ...(body === undefined ? {} : { requestBody: { content: contentOf(types, body) } }),
    responses: {
      ...Object.fromEntries(
        codes.map((code) => [
          code,
          { description: descriptions[code], content: contentOf(["application/json", "application/yaml"], answer) },
        ]),
      ),
      "401": { description: "Unauthorized" },
    },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}

function contentOf(types: readonly string[], model: string): Node {
  return Object.fromEntries(types.map((type) => [type, { schema: { $ref: prefix + model } }]));
}
