import { fieldsAt, isFields, type KubeObject } from "../../core/object/index.ts";
import { crdSpecOf, crdStatusOf, type CrdNames, type CrdSpec, type CrdVersion } from "./crd.ts";
import { decodedSchema } from "./decoded-schema.ts";

/** Sets the defaults of a CRD. Models apiextensions pkg/apis/apiextensions/v1/defaults.go */
export function defaultCrd(crd: KubeObject): KubeObject {
  return { ...crd, spec: defaultedSpec(crdSpecOf(crd)) };
}

function defaultedSpec(spec: CrdSpec): CrdSpec {
  return {
    ...spec,
    ...(Array.isArray(spec.versions) ? { versions: spec.versions.map(withDecodedSchema) } : {}),
    conversion: withPort(spec.conversion) ?? { strategy: "None" },
    names: defaultedNames(spec.names ?? {}),
  };
}

/** What else is null, also a version, is dropped later, with that of other kinds. */
function withDecodedSchema(version: CrdVersion): CrdVersion {
  const schema = fieldsAt(version, "schema");
  const { openAPIV3Schema } = schema;
  return isFields(openAPIV3Schema) ? { ...version, schema: { ...schema, openAPIV3Schema: decodedSchema(openAPIV3Schema) } } : version;
}

function defaultedNames(names: CrdNames): CrdNames {
  const { kind = "", singular = "", listKind = "" } = names;
  return {
    ...names,
    ...(singular === "" ? { singular: kind.toLowerCase() } : {}),
    ...(listKind === "" && kind !== "" ? { listKind: `${kind}List` } : {}),
  };
}

function withPort(conversion: CrdSpec["conversion"]): CrdSpec["conversion"] {
  const { clientConfig } = conversion?.webhook ?? {};
  const service = clientConfig?.["service"];
  if (conversion === undefined || typeof service !== "object" || service === null || "port" in service) return conversion;
  return { ...conversion, webhook: { ...conversion.webhook, clientConfig: { ...clientConfig, service: { ...service, port: 443 } } } };
}

/**
 * The CRD as it is stored: with an empty status on create and the live one on update, and with the storage version in
 * status.storedVersions. Models apiextensions pkg/registry/customresourcedefinition/strategy.go PrepareForCreate,
 * PrepareForUpdate
 */
export function prepareCrd(crd: KubeObject, old?: KubeObject): KubeObject {
  const status = old === undefined ? {} : crdStatusOf(old);
  const { storedVersions: stored = [] } = status;
  const storage = crdSpecOf(crd).versions?.find((version) => version.storage === true)?.name;
  const storedVersions = storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
  return { ...crd, status: { ...emptyStatus, ...status, ...(storedVersions.length === 0 ? {} : { storedVersions }) } };
}

/** In the Go type names and conditions are not optional: they are written even when empty. */
const emptyStatus = { conditions: null, acceptedNames: { plural: "", kind: "" } };
