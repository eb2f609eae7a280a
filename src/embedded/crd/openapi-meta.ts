import { isFields } from "../../core/object/index.ts";
import { openApiDocument } from "../data/index.ts";

type Node = Readonly<Record<string, unknown>>;
type Operation = Node & { readonly parameters?: readonly Node[] };

/** The parts of a built-in document that documents of custom resources reuse. */
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

const crds = "apis/apiextensions.k8s.io/v1";
const crdModel = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition";

/** `apiVersion` and `kind` as every object has them. */
export function typeMeta(): Node {
  const { properties = {} } = builtInDocument(crds).components.schemas[crdModel] ?? {};
  return { apiVersion: properties["apiVersion"], kind: properties["kind"] };
}

const conventions = "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

/** The same for embedded resources. */
export const embeddedTypeMeta: Node = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. ${conventions}#resources`,
    type: "string",
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. ${conventions}#types-kinds`,
    type: "string",
  },
};

const root = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The request on CRDs that takes the same query parameters as a request of this kind on custom resources. */
const crdRequests: Readonly<Record<string, readonly [path: string, method: string]>> = {
  list: [root, "get"],
  post: [root, "post"],
  deletecollection: [root, "get"],
  put: [`${root}/{name}`, "put"],
  patch: [`${root}/{name}`, "patch"],
  delete: [`${root}/{name}`, "delete"],
};

/** The query parameters of a request, by its action (`list`, `patch`…). */
export function parametersOf(action: string): readonly Node[] {
  const [path = "", method = ""] = crdRequests[action] ?? [];
  const { paths } = builtInDocument(crds);
  if (action === "get") return parametersOf("list").filter(({ name }) => name === "resourceVersion");
  return paths[path]?.[method]?.parameters ?? [];
}

/** The query parameter `pretty` of all requests. */
export function prettyParameter(): Node {
  const parameters: unknown = builtInDocument(crds).paths[root]?.["parameters"];
  return (
    (Array.isArray(parameters) ? parameters.find((item) => isFields(item) && item["name"] === "pretty") : undefined) ?? { name: "pretty" }
  );
}
