import { jsonText } from "../../core/object/index.ts";
import { builtInDocument, parametersOf, prettyParameter } from "./openapi-meta.ts";
import type { ServedCrdVersion } from "./served-crd-version.ts";

type Node = Readonly<Record<string, unknown>>;

const prefix = "#/components/schemas/";
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const scaleModel = "io.k8s.api.autoscaling.v1.Scale";

/** The built-in models that a document refers to, directly and indirectly. */
export function schemasUsed(document: unknown): Node {
  const found = new Map<string, unknown>();
  const wanted = [...referencesIn(document)];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const model = found.has(name) ? undefined : builtInModel(name);
    if (model === undefined) continue;
    found.set(name, model);
    wanted.push(...referencesIn(model));
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Only the Scale model is in another document than the CRDs. */
function builtInModel(name: string): unknown {
  const document = builtInDocument(name.startsWith(scaleModel) ? "apis/apps/v1" : "apis/apiextensions.k8s.io/v1");
  return document.components.schemas[name];
}

function referencesIn(value: unknown): ReadonlySet<string> {
  const found = jsonText(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return new Set([...found].map(([, name = ""]) => name));
}

/** One operation of a path. */
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

/** The paths of a served version of a CRD. */
export function openApiPathsOf(version: ServedCrdVersion, model: string, listModel: string): Node {
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
    { method: "delete", action: "deletecollection", verb: "deletecollection", answer: `${meta}.Status`, codes: ["200"] },
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

type RouteTarget = { readonly on: "object" | "collection"; readonly namespaced?: boolean; readonly suffix?: string };

function item(version: ServedCrdVersion, routes: readonly Route[], target: RouteTarget): Node {
  const parameters = [
    ...(target.on === "object" ? [inPath("name", `name of the ${version.kind}`)] : []),
    ...(target.namespaced === true ? [inPath("namespace", "object name and auth scope, such as for teams and projects")] : []),
    prettyParameter(),
  ];
  const operations = Object.fromEntries(routes.map((route) => [route.method, operation(version, route, target)]));
  return routes.length > 1 ? { ...operations, parameters } : withSharedParameters(operations, parameters);
}

/** What all operations of a path have in common is said once: for a path with one operation that is every parameter. */
function withSharedParameters(operations: Readonly<Record<string, Node>>, parameters: readonly Node[]): Node {
  const bare = Object.entries(operations).map(([method, { parameters: own = [], ...rest }]) => ({
    method,
    own: own as readonly Node[],
    rest,
  }));
  const all = [...parameters, ...bare.flatMap(({ own }) => own)];
  const byName = (one: Node, other: Node) => (String(one["name"]) < String(other["name"]) ? -1 : 1);
  return { ...Object.fromEntries(bare.map(({ method, rest }) => [method, rest])), parameters: all.toSorted(byName) };
}

function inPath(name: string, description: string): Node {
  return { name, in: "path", description, required: true, schema: { type: "string", uniqueItems: true } };
}

function operation({ group, version, kind }: ServedCrdVersion, route: Route, target: RouteTarget): Node {
  const { method, action, answer, body, codes } = route;
  const types = method === "patch" ? patchTypes : ["application/json", "application/yaml"];
  const parameters = parametersOf(action);
  const answers = codes.map((code): [string, Node] => {
    return [code, { description: descriptions[code], content: contentOf(["application/json", "application/yaml"], answer) }];
  });
  return {
    description: descriptionOf(route, kind, target),
    operationId: operationId(route, { group, version, kind }, target),
    tags: [`${joinedWords(group, false)}_${version}`],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: contentOf(types, body), ...(action === "delete" ? {} : { required: true }) } }),
    responses: { ...Object.fromEntries(answers), "401": { description: "Unauthorized" } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}

function descriptionOf({ verb }: Route, kind: string, { on, suffix = "" }: RouteTarget): string {
  const part = on === "object" && suffix !== "" ? ` ${suffix.toLowerCase()} of` : "";
  const article = /^[aeiou]/i.test(kind) ? "an" : "a";
  switch (verb) {
    case "list":
      return `list objects of kind ${kind}`;
    case "deletecollection":
      return `delete collection of ${kind}`;
    case "create":
    case "delete":
      return `${verb} ${article} ${kind}`;
    case "patch":
      return `partially update${part} the specified ${kind}`;
    default:
      return `${verb}${part} the specified ${kind}`;
  }
}

/** `readExampleComV1NamespacedWidgetStatus`: the group comes right after the verb. */
function operationId(
  { verb }: Route,
  { group, version, kind }: Readonly<Record<"group" | "version" | "kind", string>>,
  target: RouteTarget,
): string {
  const [first, rest] = verb === "deletecollection" ? ["delete", "Collection"] : [verb, ""];
  const scope = target.namespaced === true ? "Namespaced" : "";
  return `${first}${joinedWords(group, true)}${joinedWords(version, true)}${rest}${scope}${kind}${target.suffix ?? ""}`;
}

/** `my-app.example.com` as `myAppExampleCom`, or `MyAppExampleCom`. */
function joinedWords(text: string, isUpper: boolean): string {
  const words = text.split(/[.-]/);
  return words.map((word, index) => (index === 0 && !isUpper ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join("");
}

function contentOf(types: readonly string[], model: string): Node {
  return Object.fromEntries(types.map((type) => [type, { schema: { $ref: prefix + model } }]));
}
