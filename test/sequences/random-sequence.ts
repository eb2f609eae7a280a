import type { Json } from "../../src/core/object/index.ts";
import { Choice } from "./choice.ts";
import { randomKinds, randomLabels, randomText, type RandomKind } from "./random-object.ts";

/**
 * One request. In path and body `{ns}` and `{group}` are the namespace and the group of the sequence; `{rv PATH}` and
 * `{uid PATH}` are what the server said last of the object at PATH.
 */
export type RandomRequest = {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: string;
};

type JsonFields = { readonly [field: string]: Json };

const names = ["a", "b", "c", "d"];

/** A sequence of requests, valid and invalid. The same seed gives the same sequence. */
export function randomSequence(seed: number, length: number): readonly RandomRequest[] {
  const choice = new Choice(seed);
  // A few kinds and names, so that requests meet.
  const kinds = [choice.of(...randomKinds), choice.of(...randomKinds), randomKinds.at(-1)!];
  return Array.from({ length }, () => randomRequest(choice, choice.of(...kinds)));
}

function randomRequest(choice: Choice, kind: RandomKind): RandomRequest {
  const name = choice.once(25) ? choice.of("Bad_Name", "no-such", "%20") : choice.of(...names);
  const object = `${kind.path}/${name}`;
  const subresource = kind.subresources.length > 0 && choice.once(4) ? `/${choice.of(...kind.subresources)}` : "";
  switch (kind.dryRunOnly ? choice.of("create", "create", "apply") : choice.of(...actions)) {
    case "create":
      return { method: "POST", path: kind.path + writeQuery(choice, kind), ...sent(choice, bodyOf(choice, kind, name)) };
    case "update":
      return { method: "PUT", path: object + subresource + writeQuery(choice, kind), ...sent(choice, bodyOf(choice, kind, name, object)) };
    case "merge":
      return patch(choice, kind, object + subresource, "application/merge-patch+json", partOf(choice, kind));
    case "strategic":
      return patch(choice, kind, object + subresource, "application/strategic-merge-patch+json", partOf(choice, kind));
    case "json":
      return patch(choice, kind, object + subresource, "application/json-patch+json", operations(choice, kind));
    case "apply":
      return applied(choice, kind, name, object + subresource.replace("/scale", ""));
    case "delete":
      return deletion(choice, choice.once(12) ? `${kind.path}${selectors(choice) || "?labelSelector=app"}` : object, object);
    case "list":
      return { method: "GET", path: kind.path + selectors(choice), ...accepting(choice) };
    default:
      return { method: "GET", path: object + subresource, ...accepting(choice) };
  }
}

const actions = [
  "create",
  "create",
  "create",
  "update",
  "update",
  "merge",
  "strategic",
  "json",
  "apply",
  "apply",
  "apply",
  "delete",
  "list",
  "get",
];

const tables = "application/json;as=Table;g=meta.k8s.io;v=v1";

function accepting(choice: Choice): { accept?: string } {
  return choice.once(8)
    ? { accept: choice.of(tables, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", "text/html", `${tables}9`) }
    : {};
}

function writeQuery(choice: Choice, { dryRunOnly = false }: RandomKind, apply = false): string {
  const query = [
    ...(dryRunOnly || choice.once(10) ? ["dryRun=All"] : choice.once(40) ? ["dryRun=Some"] : []),
    ...(apply
      ? [`fieldManager=${choice.of("one", "two")}`, ...(choice.once(4) ? ["force=true"] : [])]
      : choice.once(3)
        ? ["fieldManager=three"]
        : []),
    ...(choice.once(3) ? [`fieldValidation=${choice.of("Strict", "Warn", "Ignore", "Some")}`] : []),
  ];
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

function selectors(choice: Choice): string {
  const query = [
    ...(choice.once(2)
      ? [`labelSelector=${encodeURIComponent(choice.of("app=web", "app!=web", "app in (web,x)", "!app", "app", "=", "app in web"))}`]
      : []),
    ...(choice.once(4)
      ? [`fieldSelector=${encodeURIComponent(choice.of("metadata.name=a", "metadata.name!=a", "type=Opaque", "spec.x=1", "a"))}`]
      : []),
    ...(choice.once(4) ? [`limit=${choice.of("1", "2", "0", "-1", "x")}`] : []),
  ];
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

function bodyOf(choice: Choice, { apiVersion, kind, content }: RandomKind, name: string, path?: string): Json {
  const metadata = {
    ...(choice.once(12) ? choice.of<JsonFields>({}, { generateName: "gen-", name }, { name: "" }, { name: 5 }) : { name }),
    ...(choice.once(3) ? { labels: randomLabels(choice) } : {}),
    ...(choice.once(5) ? { annotations: choice.of<Json>({ note: randomText(choice) }, {}, { "bad key": "x" }) } : {}),
    ...(choice.once(8) ? { finalizers: choice.of<Json>(["example.com/hold"], ["hold"], [], null) } : {}),
    ...(choice.once(12) ? { ownerReferences: choice.of<Json>([], [{ apiVersion: "v1", kind: "ConfigMap", name: "a" }], null) } : {}),
    ...(choice.once(15) ? { namespace: choice.of("{ns}", "other", "") } : {}),
    ...(choice.once(20) ? { bogus: true } : {}),
    ...(path === undefined ? {} : identity(choice, path)),
  };
  const types = choice.once(15)
    ? choice.of<JsonFields>(
        {},
        { apiVersion, kind: "Other" },
        { apiVersion: "v9", kind },
        { kind },
        { apiVersion, kind: {} },
        { apiVersion: "a/b/c", kind },
      )
    : { apiVersion, kind };
  return { ...types, metadata, ...content(choice), ...(choice.once(15) ? { extra: randomText(choice) } : {}) };
}

function identity(choice: Choice, path: string): JsonFields {
  return {
    ...(choice.once(2)
      ? { resourceVersion: choice.once(6) ? choice.of<Json>("1", "", "x", "0", "99999999999999999999") : `{rv ${path}}` }
      : {}),
    ...(choice.once(8) ? { uid: choice.once(3) ? "other" : `{uid ${path}}` } : {}),
  };
}

/** A body as it is sent: mostly JSON, now and then something else. */
function sent(choice: Choice, body: Json): Pick<RandomRequest, "type" | "body"> {
  const json = JSON.stringify(body);
  if (choice.once(30)) return { type: choice.of("text/plain", "application/xml", "application/json; charset=utf-8"), body: json };
  if (choice.once(30))
    return { type: "application/json", body: choice.of(json.slice(0, -2), `${json}}`, "", "[]", "5", "null", json.replace("{", "{,")) };
  return choice.once(20) ? { type: "application/yaml", body: json } : { type: "application/json", body: json };
}

function patch(choice: Choice, kind: RandomKind, path: string, type: string, body: Json): RandomRequest {
  const text = JSON.stringify(body);
  return {
    method: "PATCH",
    path: path + writeQuery(choice, kind),
    type,
    body: choice.once(30) ? choice.of("{", "[]", "5", "null", `"x"`, "") : text,
  };
}

function partOf(choice: Choice, kind: RandomKind): JsonFields {
  const whole = bodyOf(choice, kind, choice.of(...names)) as JsonFields;
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...content } = whole;
  const metadata = choice.of<JsonFields>(
    {},
    { metadata: { labels: randomLabels(choice) } },
    { metadata: { finalizers: choice.of<Json>(null, [], ["example.com/hold"], ["hold"]) } },
  );
  return { ...choice.some(content), ...metadata };
}

function operations(choice: Choice, kind: RandomKind): Json {
  const paths = [
    "/metadata/labels",
    "/metadata/labels/app",
    "/metadata/annotations",
    "/metadata/finalizers",
    "/spec",
    "/spec/size",
    "/spec/tags/-",
    "/spec/tags/0",
    "/data/a",
    "/data",
    "/nowhere/x",
    "",
  ];
  const part = Object.values(partOf(choice, kind))[0] ?? null;
  const operation = (): Json => ({
    op: choice.of("add", "add", "replace", "remove", "test", "copy", "move", "odd"),
    path: choice.of(...paths),
    ...(choice.once(6) ? {} : { value: choice.of<Json>("1", "web", {}, [], null, 2, part) }),
    ...(choice.once(3) ? { from: choice.of(...paths) } : {}),
  });
  return Array.from({ length: 1 + choice.below(3) }, operation);
}

function applied(choice: Choice, kind: RandomKind, name: string, path: string): RandomRequest {
  const body = bodyOf(choice, kind, name, choice.once(8) ? path : undefined);
  return {
    method: "PATCH",
    path: path + writeQuery(choice, kind, !choice.once(25)),
    type: "application/apply-patch+yaml",
    body: JSON.stringify(body),
  };
}

function deletion(choice: Choice, path: string, object: string): RandomRequest {
  if (choice.once(2)) return { method: "DELETE", path };
  const body = choice.some<Json>({
    gracePeriodSeconds: choice.of<Json>(0, 30, -1, "x"),
    propagationPolicy: choice.of<Json>("Foreground", "Background", "Orphan", "Some"),
    preconditions: choice.of<Json>(
      { uid: `{uid ${object}}` },
      { uid: "other" },
      { resourceVersion: `{rv ${object}}` },
      { resourceVersion: "1" },
    ),
    dryRun: choice.of<Json>(["All"], [], ["Some"]),
  });
  return { method: "DELETE", path, type: "application/json", body: JSON.stringify(choice.once(6) ? body : choice.some(body)) };
}
