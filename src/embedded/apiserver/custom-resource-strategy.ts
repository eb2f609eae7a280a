import { equal, valueAt, type KubeObject } from "../../core/object/index.ts";
import { checkDnsSubdomain, validateObjectMeta, validateObjectMetaUpdate, type Strategy } from "../builtin/index.ts";
import { decodeCustomResource, validateCustomResource } from "../crd/index.ts";
import { finalizerWarnings } from "./finalizer-warnings.ts";
import type { CustomResource, ServedResource } from "./served-resource.ts";

/** The strategy of custom resources. Models apiextensions pkg/registry/customresource/strategy.go */
export function customResourceStrategy({ namespaced }: ServedResource, { served, rules }: CustomResource): Strategy {
  const { hasStatus } = served;
  const content = ({ metadata: _metadata, status, ...rest }: KubeObject) => (hasStatus ? rest : { ...rest, status });
  return {
    defaults: (object, _live, { applied = false } = {}) => decodeCustomResource(object, served, { keepNulls: applied }).object,
    prepareForCreate: (object) => withGeneration(hasStatus ? withStatusOf(object, undefined) : object, 1),
    prepareForUpdate: (object, live) => {
      const next = hasStatus ? withStatusOf(object, live) : object;
      const { generation = 0 } = live.metadata;
      const same = equal(content(next), content({ ...live, apiVersion: next.apiVersion }));
      return withGeneration(next, same ? generation : generation + 1);
    },
    prepareStatus: (object, live) => {
      const { managedFields } = object.metadata;
      const { managedFields: _before, ...kept } = live.metadata;
      // A write whose fields cannot be computed leaves no managers, even if only what it may not change does not fit.
      const metadata = managedFields === undefined ? kept : { ...kept, managedFields };
      return withStatusOf({ ...live, apiVersion: object.apiVersion, metadata }, object);
    },
    validate: (object) => [
      ...validateObjectMeta(object, { name: checkDnsSubdomain, namespaced }),
      ...validateCustomResource(object, served, { rules }),
    ],
    validateUpdate: (object, live) => [
      ...validateObjectMetaUpdate(object, live),
      ...validateCustomResource(object, served, { old: live, rules }),
    ],
    validateStatus: (object, live) => [
      ...validateObjectMetaUpdate(object, live),
      ...validateCustomResource(object, served, { old: live, rules, status: true }),
    ],
    warnings: { create: (object) => finalizerWarnings(object), update: finalizerWarnings },
    selectableFields: (object) => Object.fromEntries(served.selectableFields.map((path) => [path, textAt(object, path)])),
    gracePeriod: () => undefined,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    dependents: "delete",
  };
}

function textAt(object: KubeObject, path: string): string {
  const value = valueAt(object, path);
  return value === undefined || value === null ? "" : String(value);
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}

function withStatusOf({ status: _dropped, ...rest }: KubeObject, from: KubeObject | undefined): KubeObject {
  const kept = rest as KubeObject;
  return from?.["status"] === undefined ? kept : { ...kept, status: from["status"] };
}
