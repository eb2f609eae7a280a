import { fieldsAt, listAt, stringAt, type Fields } from "../../src/core/object/index.ts";

/** Answers a ConversionReview. Widgets of v1 have `spec.size`, those of v2 `spec.dimensions.size`. */
export function convertedReview(review: unknown, how: string): Fields {
  const request = fieldsAt(review, "request");
  const desired = stringAt(request, "desiredAPIVersion", "");
  const convertedObjects = listAt(request, "objects").map((object) => convertedTo(object, desired));
  const response = { uid: request["uid"], convertedObjects, result: { status: "Success" } };
  return { kind: "ConversionReview", apiVersion: stringAt(review, "apiVersion", ""), response, ...faults[how]?.(response) };
}

function convertedTo({ spec: _spec, ...object }: Fields, apiVersion: string): Fields {
  const spec = { ...(_spec as Fields) };
  const nested = fieldsAt(spec, "dimensions");
  if (apiVersion.endsWith("/v2")) {
    const { size, ...rest } = spec;
    return { ...object, apiVersion, spec: size === undefined ? rest : { ...rest, dimensions: { size } } };
  }
  const { dimensions: _dimensions, ...rest } = spec;
  return { ...object, apiVersion, spec: nested["size"] === undefined ? rest : { ...rest, size: nested["size"] } };
}

const faults: Readonly<Record<string, (response: Fields) => Fields>> = {
  failure: (response) => ({ response: { ...response, convertedObjects: [], result: { status: "Failure", message: "cannot convert" } } }),
  silent: (response) => ({ response: { ...response, convertedObjects: [], result: { status: "Failure" } } }),
  none: () => ({ response: undefined }),
  uid: (response) => ({ response: { ...response, uid: "12345" } }),
  fewer: (response) => ({ response: { ...response, convertedObjects: [] } }),
  version: (response) => ({
    response: { ...response, convertedObjects: listAt(response, "convertedObjects").map((each) => ({ ...each, apiVersion: "v9" })) },
  }),
  kind: (response) => ({
    response: { ...response, convertedObjects: listAt(response, "convertedObjects").map((each) => ({ ...each, kind: "Gadget" })) },
  }),
  name: (response) => ({ response: { ...response, convertedObjects: listAt(response, "convertedObjects").map(renamed) } }),
  labels: (response) => ({ response: { ...response, convertedObjects: listAt(response, "convertedObjects").map(labelled) } }),
  finalizers: (response) => ({ response: { ...response, convertedObjects: listAt(response, "convertedObjects").map(finalized) } }),
};

function renamed(object: Fields): Fields {
  return { ...object, metadata: { ...fieldsAt(object, "metadata"), name: "other" } };
}

function labelled(object: Fields): Fields {
  return { ...object, metadata: { ...fieldsAt(object, "metadata"), labels: { converted: "yes" } } };
}

function finalized(object: Fields): Fields {
  return { ...object, metadata: { ...fieldsAt(object, "metadata"), finalizers: ["example.com/hold"] } };
}
