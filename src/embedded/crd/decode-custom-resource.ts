import type { KubeObject } from "../../core/object/index.ts";
import { schemaNamed } from "../data/index.ts";
import { applyDefaults, decodeError, dropNulls, pruneUnknownFields } from "../schema/index.ts";
import type { ServedCrdVersion } from "./served-crd-version.ts";

/** A custom resource in another version: the conversion strategy None changes only the apiVersion. */
export function convertCustomResource(object: KubeObject, { group, version }: Pick<ServedCrdVersion, "group" | "version">): KubeObject {
  const apiVersion = `${group}/${version}`;
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** Why the metadata of a custom resource cannot be decoded, as Go's decoder words it; undefined when it can. */
export function metadataError(object: KubeObject): string | undefined {
  return decodeError(object.metadata, schemaNamed(objectMeta) ?? {});
}

/** A decoded custom resource, and its unknown fields. */
type DecodedCustomResource = { readonly object: KubeObject; readonly unknown: readonly string[] };

/**
 * Decodes a custom resource in one of its versions, from a request or from storage: prunes unknown fields and applies
 * defaults. Models apiextensions pkg/apiserver/customresource_handler.go
 */
export function decodeCustomResource(
  object: KubeObject,
  version: Pick<ServedCrdVersion, "group" | "version" | "schema">,
): DecodedCustomResource {
  const { value, unknown } = pruneUnknownFields(convertCustomResource(object, version), version.schema, {
    metadata: schemaNamed(objectMeta),
  });
  return { object: applyDefaults(dropNulls(value, version.schema), version.schema), unknown };
}
