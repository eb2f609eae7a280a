import type { KubeObject } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";
import { embeddedTypeMeta, typeMeta } from "./openapi-meta.ts";
import { openApiPathsOf, schemasUsed } from "./openapi-paths.ts";
import { schemaForOpenApiV2 } from "./schema-for-openapi-v2.ts";
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
  const models = modelsOf(served, false);
  const paths = pathsOf(served);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths,
    components: { schemas: { ...models, ...schemasUsed({ models, paths }) } },
  };
}

/** The same, for resources that refer to their CRD. */
export function openApiDocumentFor(resources: readonly CustomResource[]): Node {
  return customResourceOpenApi(servedOf(resources));
}

/** The paths of resources, and their models as far as OpenAPI v2 can say them; both in the words of OpenAPI v3. */
export function openApiV2PartsFor(resources: readonly CustomResource[]): { readonly paths: Node; readonly models: Node } {
  const served = servedOf(resources);
  return { paths: pathsOf(served), models: modelsOf(served, true) };
}

type CustomResource = { readonly version: string; readonly custom?: { readonly crd: KubeObject } };

function servedOf(resources: readonly CustomResource[]): readonly ServedCrdVersion[] {
  return resources.flatMap(({ version, custom }) => {
    return custom === undefined ? [] : servedCrdVersions(custom.crd).filter((item) => item.version === version);
  });
}

function modelsOf(served: readonly ServedCrdVersion[], isV2: boolean): Node {
  return Object.fromEntries(
    served.flatMap((version) => [
      [modelName(version, version.kind), modelOf(version, isV2)],
      [modelName(version, version.listKind), listOf(version)],
    ]),
  );
}

function pathsOf(served: readonly ServedCrdVersion[]): Node {
  const each = served.map((version) => openApiPathsOf(version, modelName(version, version.kind), modelName(version, version.listKind)));
  return Object.assign({}, ...each) as Node;
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

function modelOf(version: ServedCrdVersion, isV2: boolean): Node {
  if (isV2 && version.schema["x-kubernetes-preserve-unknown-fields"] === true)
    return { type: "object", ...gvkOf(version, version.kind), ...selectable(version) };
  const { properties = {}, ...rest } = runNested(publishedSchema(isV2 ? schemaForOpenApiV2(version.schema) : version.schema, isV2));
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
function* publishedSchema(schema: JsonSchemaProps, isV2: boolean): Nested<Node> {
  // A structural schema has no examples and documents.
  const { properties, items, additionalProperties, example: _example, externalDocs: _externalDocs, ...rest } = schema;
  const published = {
    ...rest,
    ...(properties === undefined ? {} : { properties: yield* callNested(publishedFields(properties, isV2)) }),
    ...(items === undefined ? {} : { items: yield* callNested(publishedSchema(items, isV2)) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === "object"
              ? yield* callNested(publishedSchema(additionalProperties, isV2))
              : additionalProperties,
        }),
  };
  if (!isV2) return withEmbedded(schema, withEither(schema, published));
  // kubectl takes an object of v2 with fields for one without others.
  return schema["x-kubernetes-preserve-unknown-fields"] === true ? published : withEmbedded(schema, published);
}

function* publishedFields(properties: Readonly<Record<string, JsonSchemaProps>>, isV2: boolean): Nested<Node> {
  const fields: [string, Node][] = [];
  for (const [name, child] of Object.entries(properties)) fields.push([name, yield* callNested(publishedSchema(child, isV2))]);
  return Object.fromEntries(fields);
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
