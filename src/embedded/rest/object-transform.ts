import type { Fields, GroupVersionKind, KubeObject, ObjectMeta } from "../../core/object/index.ts";
import { apiVersionFor, inVersion, type ServedResource } from "../apiserver/index.ts";
import { badRequestError, StatusError } from "../status-error.ts";
import { leavesRowsOut, tableOrder, tablePrinterOf, tableRowOf } from "../table/index.ts";
import { protobufType, type MediaType, type MediaTypeOptions } from "./negotiation.ts";
import { goPackageOf } from "./request-body.ts";
import { rememberLast } from "./remember-last.ts";
import type { RuntimeObject } from "./response-encoder.ts";

/** What a client wants to see instead of whole objects: `application/json;as=Table;g=meta.k8s.io;v=v1`. */
export type ObjectTransform = {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  readonly apiVersion: string;
  /** What the rows of a table carry, as the client wrote it. Default: the metadata. */
  readonly includeObject: string;
};

/** Metadata of a list, as on the wire. */
export type ListMeta = { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number };

/** What the objects are and what time it is. */
export type TransformContext = { readonly resource: ServedResource; readonly now: number };

const kinds: ReadonlySet<string> = new Set<ObjectTransform["kind"]>(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);
const versions = new Set(["v1", "v1beta1"]);

/** Tables have no protobuf, metadata has. Models apiserver pkg/endpoints/handlers/rest.go AllowsMediaTypeTransform */
export function allowsTransform(mediaType: MediaType, convert: GroupVersionKind | undefined): boolean {
  if (convert === undefined) return true;
  if (!isTransform(convert.kind) || convert.group !== "meta.k8s.io" || !versions.has(convert.version)) return false;
  return convert.kind !== "Table" || mediaType !== protobufType;
}

/** The same for custom resources, which have no protobuf themselves. */
export function allowsCustomTransform(mediaType: MediaType, convert: GroupVersionKind | undefined): boolean {
  return allowsTransform(mediaType, convert) && (convert !== undefined || mediaType !== protobufType);
}

/** The transform that a request has been allowed, or undefined for whole objects. */
export function objectTransformOf({ convert }: MediaTypeOptions, query: URLSearchParams): ObjectTransform | undefined {
  if (convert === undefined || !isTransform(convert.kind)) return undefined;
  return { kind: convert.kind, apiVersion: apiVersionFor(convert), includeObject: query.get("includeObject") ?? "" };
}

function isTransform(kind: string): kind is ObjectTransform["kind"] {
  return kinds.has(kind);
}

/** One object as the client wants to see it. `columns`: whether a table says its columns, as all but the first of a watch do not. */
export function transformedObject(
  transform: ObjectTransform,
  object: KubeObject,
  context: TransformContext,
  { columns = true }: { columns?: boolean } = {},
): RuntimeObject & Fields {
  if (transform.kind === "PartialObjectMetadataList") throw notAcceptable(transform, `not a list (*${goTypeOf(context.resource, "")})`);
  if (transform.kind === "PartialObjectMetadata") return lastPartialMetadata(transform.apiVersion, object);
  const { resourceVersion } = object.metadata;
  return tableOf(transform, [object], resourceVersion === undefined ? {} : { resourceVersion }, context, columns);
}

/** A list as the client wants to see it. */
export function transformedList(
  transform: ObjectTransform,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  context: TransformContext,
): RuntimeObject & Fields {
  const { kind, apiVersion } = transform;
  if (kind === "PartialObjectMetadata") throw notAcceptable(transform, `a list (*${goTypeOf(context.resource, "List")})`);
  if (kind === "Table") return tableOf(transform, objects, metadata, context, true);
  const items = objects.map((object) => partialMetadata(transform, object));
  return { kind, apiVersion, metadata, items: items.length === 0 ? null : items };
}

function tableOf(
  transform: ObjectTransform,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  { resource, now }: TransformContext,
  withColumns: boolean,
): RuntimeObject & Fields {
  const included = includedOf(transform, resource);
  const printer = tablePrinterOf(resource.kind, resource.custom?.served.additionalPrinterColumns);
  const rows = tableOrder(resource.kind, objects).map((object) => ({ ...tableRowOf(printer, object, now), object: included(object) }));
  return {
    kind: "Table",
    apiVersion: transform.apiVersion,
    metadata,
    columnDefinitions: withColumns ? printer.columns : null,
    rows: rows.length === 0 && leavesRowsOut(printer.columns) ? null : rows,
  };
}

/** Models apiserver pkg/endpoints/handlers/response.go asTable */
function includedOf(transform: ObjectTransform, resource: ServedResource): (object: KubeObject) => unknown {
  const { includeObject } = transform;
  switch (includeObject) {
    case "":
    case "Metadata":
      return (object) => partialMetadata(transform, object);
    case "Object":
      return (object) => inVersion(object, apiVersionFor(resource));
    case "None":
      return () => null;
    default: {
      const why = `includeObject: Invalid value: ${JSON.stringify(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`;
      throw badRequestError(`Unable to convert to Table as requested: ${why}`);
    }
  }
}

function partialMetadata({ apiVersion }: Pick<ObjectTransform, "apiVersion">, { metadata }: KubeObject): RuntimeObject & Fields {
  return { kind: "PartialObjectMetadata", apiVersion, metadata: withoutEmptyName(metadata) };
}

/** Watchers with transforms of their own are told of the same object. */
const lastPartialMetadata = rememberLast((apiVersion: string, object: KubeObject) => partialMetadata({ apiVersion }, object));

/** A bookmark has no name. */
function withoutEmptyName({ name, ...rest }: ObjectMeta): unknown {
  return name === "" ? rest : { name, ...rest };
}

function goTypeOf({ group, kind, custom }: ServedResource, suffix: string): string {
  return custom === undefined ? `${goPackageOf(group)}.${kind}${suffix}` : `unstructured.Unstructured${suffix}`;
}

function notAcceptable({ kind }: ObjectTransform, what: string): StatusError {
  return new StatusError(406, "NotAcceptable", `you requested ${kind}, but the requested object is ${what}`);
}
