import { equal, jsonPathText, type KubeObject } from "../../object/index.ts";
import { objectMeta, objectMetaUpdate, type Strategy } from "../builtin/index.ts";
import type { FieldError } from "../field-error.ts";
import { applyDefaults, dropNulls, validate, validateListTypes } from "../schema/index.ts";
import type { CustomResource, Resource } from "./resource.ts";

/** What the server does to objects whose kind a definition brought. Models apiextensions pkg/registry/customresource/strategy.go */
export function customStrategy(resource: Resource, custom: CustomResource): Strategy {
  const { schema } = custom;
  const hasStatus = resource.subresources.has("status");
  const content = ({ metadata: _metadata, status, ...rest }: KubeObject) => (hasStatus ? rest : { ...rest, status });

  function check(object: KubeObject, live?: KubeObject): readonly FieldError[] {
    const found = validate(object, schema, live === undefined ? {} : { old: live });
    const more = [...found, ...validateListTypes(object, schema)];
    // A rule may count on the types that the schema promises.
    return more.length > 0 ? more : custom.validateRules(object, live);
  }

  return {
    defaults: (object) => applyDefaults(dropNulls(object, schema), schema),
    prepareForCreate: (object) => withGeneration(hasStatus ? withStatusOf(object, undefined) : object, 1),
    prepareForUpdate: (object, live) => {
      const next = hasStatus ? withStatusOf(object, live) : object;
      const { generation = 0 } = live.metadata;
      return withGeneration(next, equal(content(next), content(live)) ? generation : generation + 1);
    },
    prepareStatus: (object, live) => {
      const { managedFields } = object.metadata;
      const metadata = managedFields === undefined ? live.metadata : { ...live.metadata, managedFields };
      return withStatusOf({ ...live, apiVersion: object.apiVersion, metadata }, object);
    },
    validate: (object) => [...objectMeta(object, { namespaced: resource.namespaced }), ...check(object)],
    validateUpdate: (object, live) => [...objectMetaUpdate(object, live), ...check(object, live)],
    validateStatus: (object, live) => [...objectMetaUpdate(object, live), ...check(object, live)],
    selectableFields: (object) => Object.fromEntries(custom.selectableFields.map((path) => [path.slice(1), jsonPathText(path, object)])),
    gracePeriod: () => undefined,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    dependents: "delete",
  };
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}

function withStatusOf({ status: _dropped, ...rest }: KubeObject, from: KubeObject | undefined): KubeObject {
  const kept = rest as KubeObject;
  return from?.["status"] === undefined ? kept : { ...kept, status: from["status"] };
}
