import type { KubeObject } from "../../core/object/index.ts";
import { decodeCustomResource, type ServedCrdVersion } from "../crd/index.ts";
import { apiVersionFor, type ServedResource } from "./served-resource.ts";

/** The last decoding of each stored object. */
const decodings = new WeakMap<KubeObject, { readonly served: ServedCrdVersion; readonly object: KubeObject }>();

/**
 * A stored object as the present schema of its storage version has it: the schema may have changed since it was written.
 * `resource` is in its storage version. Only custom resources change.
 */
export function decodeStored(object: KubeObject, resource: ServedResource | undefined): KubeObject {
  if (resource?.custom === undefined || object.apiVersion !== apiVersionFor(resource)) return object;
  const { served } = resource.custom;
  const known = decodings.get(object);
  if (known?.served === served) return known.object;
  const decoding = { served, object: decodeCustomResource(object, served).object };
  decodings.set(object, decoding);
  return decoding.object;
}
