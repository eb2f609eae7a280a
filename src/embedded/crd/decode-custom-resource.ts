import type { KubeObject } from "../../core/object/index.ts";
import { schemaNamed } from "../data/index.ts";
import { applyDefaults, decodeError, dropNulls, pruneUnknownFields } from "../schema/index.ts";
import type { ServedCrdVersion } from "./served-crd-version.ts";

/** An object of a definition as another of its versions shows it: the strategy None changes nothing but the apiVersion. */
export function convertCustomResource(object: KubeObject, { group, version }: Pick<ServedCrdVersion, "group" | "version">): KubeObject {
  const apiVersion = `${group}/${version}`;
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** Why the metadata of a custom resource cannot be read, in the words of Go's decoder; undefined when it can. */
export function metadataError(object: KubeObject): string | undefined {
  return decodeError(object.metadata, schemaNamed(objectMeta) ?? {});
}

/** A custom resource as it comes out of a decoder, and the fields that its schema does not know. */
export type DecodedCustomResource = { readonly object: KubeObject; readonly unknown: readonly string[] };

/**
 * Reads a custom resource in one of its versions, from a request or from the store: what the version's schema does not know
 * goes, and its defaults come. Models apiextensions pkg/apiserver/customresource_handler.go
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
