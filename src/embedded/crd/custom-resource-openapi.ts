import type { KubeObject } from "../../core/object/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";
import { embeddedTypeMeta, typeMeta } from "./openapi-meta.ts";
import { openApiPathsOf, schemasUsed } from "./openapi-paths.ts";
import { servedCrdVersions, type ServedCrdVersion } from "./served-crd-version.ts";

type Node = Readonly<Record<string, unknown>>;

const prefix = "#/components/schemas/";
const objectMeta = { allOf: [{ $ref: `${prefix}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta` }] };
const metadataText =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
const listMetadataText =
  "Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

/**
 * The OpenAPI v3 document of one version of one group, for all CRDs that serve it. kubectl validates and explains
 * custom resources with it. Models apiextensions pkg/controller/openapi/builder/builder.go
 */
export function customResourceOpenApi(served: readonly ServedCrdVersion[]): Node {
  const models = Object.fromEntries(
    served.flatMap((version) => [
      [modelName(version, version.kind), modelOf(version)],
      [modelName(version, version.listKind), listOf(version)],
    ]),
  ) as Node;
  const each = served.map((version) => openApiPathsOf(version, modelName(version, version.kind), modelName(version, version.listKind)));
  const paths = Object.assign({}, ...each) as Node;
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths,
    components: { schemas: { ...models, ...schemasUsed({ models, paths }) } },
  };
}

/** The same, for resources that refer to their CRD. */
export function openApiDocumentFor(
  resources: readonly { readonly version: string; readonly custom?: { readonly crd: KubeObject } }[],
): Node {
  const served = resources.flatMap(({ version, custom }) => {
    return custom === undefined ? [] : servedCrdVersions(custom.crd).filter((item) => item.version === version);
  });
  return customResourceOpenApi(served);
}

/** `example.com` becomes `com.example`. */
function modelName({ group, version }: ServedCrdVersion, kind: string): string {
  return `${group.split(".").toReversed().join(".")}.${version}.${kind}`;
}

function gvkOf({ group, version }: ServedCrdVersion, kind: string): Node {
  return { "x-kubernetes-group-version-kind": [{ group, version, kind }] };
}

function selectable({ selectableFields }: ServedCrdVersion): Node {
  if (selectableFields.length === 0) return {};
  return { "x-kubernetes-selectable-fields": selectableFields.map((fieldPath) => ({ fieldPath })) };
}

function modelOf(version: ServedCrdVersion): Node {
  const { properties = {}, ...rest } = publishedSchema(version.schema);
  const own = { ...typeMeta(), metadata: { ...objectMeta, description: metadataText } };
  return { ...rest, properties: { ...(properties as Node), ...own }, ...gvkOf(version, version.kind), ...selectable(version) };
}

function listOf(version: ServedCrdVersion): Node {
  const { kind, listKind, plural } = version;
  const doc = `List of ${plural}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`;
  return {
    type: "object",
    description: `${listKind} is a list of ${kind}`,
    required: ["items"],
    properties: {
      ...typeMeta(),
      items: { type: "array", description: doc, items: { $ref: prefix + modelName(version, kind) } },
      metadata: { allOf: [{ $ref: `${prefix}io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta` }], description: listMetadataText },
    },
    ...gvkOf(version, listKind),
    ...selectable(version),
  };
}

const eitherType = [{ type: "integer" }, { type: "string" }];

/** A structural schema as it is published: int-or-string spelled out, embedded resources with their standard fields. */
function publishedSchema(schema: JsonSchemaProps): Node {
  const { properties, items, additionalProperties, ...rest } = schema;
  const published = {
    ...rest,
    ...(properties === undefined ? {} : { properties: publishedFields(properties) }),
    ...(items === undefined ? {} : { items: publishedSchema(items) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: typeof additionalProperties === "object" ? publishedSchema(additionalProperties) : additionalProperties }),
  };
  return withEmbedded(schema, withEither(schema, published));
}

function publishedFields(properties: Readonly<Record<string, JsonSchemaProps>>): Node {
  return Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, publishedSchema(child)]));
}

function withEither(schema: JsonSchemaProps, published: Node): Node {
  if (schema["x-kubernetes-int-or-string"] !== true) return published;
  const isEither = (list: readonly JsonSchemaProps[] | undefined) => JSON.stringify(list) === JSON.stringify(eitherType);
  if (isEither(schema.anyOf) || isEither(schema.allOf?.[0]?.anyOf)) return published;
  if (schema.anyOf === undefined) return { ...published, anyOf: eitherType };
  return { ...published, allOf: [{ anyOf: eitherType }, ...(schema.allOf ?? [])] };
}

function withEmbedded(schema: JsonSchemaProps, published: Node): Node {
  if (schema["x-kubernetes-embedded-resource"] !== true) return published;
  const { properties } = published;
  const own = { ...embeddedTypeMeta, metadata: { ...objectMeta, description: metadataText } };
  const required = [...new Set([...(schema.required ?? []), "kind", "apiVersion"])];
  return { ...published, properties: { ...(properties as Node | undefined), ...own }, required };
}
