import { isFields, type Fields } from "../../core/object/index.ts";
import { modelFromV3, pathFromV3, sharedParametersOf } from "./from-openapi-v3.ts";
import { orderedDocument } from "./ordered-document.ts";

/** A document with further paths and models, both in the words of OpenAPI v3. */
export function documentWith(document: Fields, added: { readonly paths: Fields; readonly models: Fields }): Fields {
  const { paths, definitions, parameters } = document;
  const shared = sharedParametersOf(isFields(parameters) ? parameters : {});
  const more = orderedDocument({
    paths: Object.fromEntries(Object.entries(added.paths).map(([path, item]) => [path, pathFromV3(item, shared)])),
    definitions: Object.fromEntries(Object.entries(added.models).map(([name, model]) => [name, modelFromV3(model)])),
  });
  return { ...document, paths: merged(paths, more["paths"]), definitions: merged(definitions, more["definitions"]) };
}

/** What the document has already stays as it is. */
function merged(before: unknown, added: unknown): Fields {
  const all = { ...(isFields(added) ? added : {}), ...(isFields(before) ? before : {}) };
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
