import { openApiDocument } from "../data/index.ts";

type Node = Readonly<Record<string, unknown>>;
type Operation = Node & { readonly parameters?: readonly Node[] };

/** The part of a built-in document that documents of custom resources take over. */
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Node & { readonly properties?: Node }>> };
};

const loaded = new Map<string, Document>();

/** A built-in document, read when the first custom resource is published. */
export function builtInDocument(path: string): Document {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const bytes = openApiDocument(path);
  if (bytes === undefined) throw new Error(`publish custom resources: there is no OpenAPI document ${path}`);
  const document = JSON.parse(bytes.toString()) as Document;
  loaded.set(path, document);
  return document;
}

const definitions = "apis/apiextensions.k8s.io/v1";
const definitionModel = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition";

/** `apiVersion` and `kind` as every object has them. */
export function typeMeta(): Node {
  const { properties = {} } = builtInDocument(definitions).components.schemas[definitionModel] ?? {};
  return { apiVersion: properties["apiVersion"], kind: properties["kind"] };
}

/** The query parameters that a request of this method takes, on one object or on all of them. */
export function parametersOf(method: string, on: "object" | "collection"): readonly Node[] {
  const root = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  return builtInDocument(definitions).paths[on === "object" ? `${root}/{name}` : root]?.[method]?.parameters ?? [];
}
