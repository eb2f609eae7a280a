import { equal, stringAt, type KubeObject } from "../../core/object/index.ts";
import { fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field-error.ts";
import { childPath, dns1035LabelErrors, dns1123SubdomainErrors, itemPath, type CompileCelRule } from "../schema/index.ts";
import { approvalErrors } from "./api-approval.ts";
import { checkConversion } from "./conversion-check.ts";
import { hasCrdCondition, crdSpecOf, crdStatusOf, type CrdSpec, type CrdVersion } from "./crd.ts";
import { checkCrdGroup, checkCrdNames } from "./crd-names.ts";
import { validateCrdSchema } from "./validate-crd-schema.ts";
import { checkColumn, checkDeprecation, checkSelectableFields, checkSubresources } from "./crd-version-check.ts";

type CrdCheck = {
  /** The live CRD. Default: the CRD is being created. */
  readonly old?: KubeObject;
  /** Default: rules are not compiled. */
  readonly compile?: CompileCelRule;
};

/**
 * Validates a CRD that has been defaulted and prepared. Of its metadata only the parts that are specific to CRDs are
 * validated. Models apiextensions pkg/apis/apiextensions/validation/validation.go
 */
export function validateCrd(crd: KubeObject, { old, compile }: CrdCheck = {}): readonly FieldError[] {
  const spec = crdSpecOf(crd);
  return [
    ...(old === undefined ? checkName(crd, spec) : []),
    ...checkSpec(spec, compile, old === undefined ? [] : (crdSpecOf(old).versions ?? [])),
    ...(old === undefined ? [] : checkImmutable(spec, old)),
    ...checkStoredVersions(crdStatusOf(crd).storedVersions, spec.versions ?? []),
    ...approvalErrors(crd, old),
    ...checkPreserving(spec, old),
  ];
}

function checkName({ metadata }: KubeObject, { names, group = "" }: CrdSpec): readonly FieldError[] {
  const name = stringAt(metadata, "name", "");
  // That it is missing is said of every object.
  if (name === "") return [];
  const wrong = name === `${names?.plural ?? ""}.${group}` ? [] : ['must be spec.names.plural+"."+spec.group'];
  return [...dns1123SubdomainErrors(name), ...wrong].map((why) => fieldInvalid("metadata.name", name, why));
}

function checkSpec(spec: CrdSpec, compile: CompileCelRule | undefined, before: readonly CrdVersion[]): readonly FieldError[] {
  const { group = "", scope = "", names = {}, conversion } = spec;
  // A list that is missing may have become null, as a server writes it.
  const versions = spec.versions ?? [];
  return [
    ...checkCrdGroup(group, "spec.group"),
    ...checkScope(scope),
    ...versions.flatMap(({ schema }, index) => {
      const isThere = schema?.openAPIV3Schema !== undefined;
      return isThere ? [] : [fieldRequired(`${itemPath("spec.versions", index)}.schema.openAPIV3Schema`)];
    }),
    ...versions.flatMap((version, index) => checkVersionName(version, itemPath("spec.versions", index))),
    ...checkContents(versions, compile, before),
    ...checkVersions(versions, !Array.isArray(spec.versions)),
    ...checkCrdNames(names, "spec.names"),
    ...checkConversion(conversion, "spec.conversion"),
  ];
}

function checkScope(scope: string): readonly FieldError[] {
  if (scope === "") return [fieldRequired("spec.scope")];
  return scope === "Cluster" || scope === "Namespaced" ? [] : [fieldNotSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function checkVersionName(version: CrdVersion, path: string): readonly FieldError[] {
  const wrong = dns1035LabelErrors(version.name);
  return [
    ...(wrong.length === 0 ? [] : [fieldInvalid(childPath(path, "name"), version.name, wrong.join(","))]),
    ...checkDeprecation(version, path),
  ];
}

/** The server stores parts that all versions share only once, and reports errors at that path. */
const shared: Readonly<Record<"schema" | "subresources" | "additionalPrinterColumns" | "selectableFields", string>> = {
  schema: "spec.validation",
  subresources: "spec.subresources",
  additionalPrinterColumns: "spec.additionalPrinterColumns",
  selectableFields: "spec.selectableFields",
};

function checkContents(
  versions: readonly CrdVersion[],
  compile: CompileCelRule | undefined,
  before: readonly CrdVersion[],
): readonly FieldError[] {
  const [first] = versions;
  const isShared = (part: keyof typeof shared) => versions.every((version) => equal(version[part], first?.[part]));
  const places = (part: keyof typeof shared): readonly (readonly [CrdVersion, string])[] => {
    if (first !== undefined && isShared(part)) return [[first, shared[part]]];
    return versions.map((version, index) => [version, childPath(itemPath("spec.versions", index), part)]);
  };
  const hasAnyStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
  return [
    ...places("schema").flatMap(([{ name, schema, subresources }, path]) => {
      const hasStatus = isShared("schema") ? hasAnyStatus : subresources?.status !== undefined;
      const isUnchanged = () => before.some((version) => version.name === name && equal(version.schema, schema));
      if (schema?.openAPIV3Schema === undefined) return [];
      return validateCrdSchema(schema.openAPIV3Schema, path, hasStatus, { compile, isUnchanged });
    }),
    ...places("subresources").flatMap(([{ subresources }, path]) => checkSubresources(subresources, path)),
    ...places("additionalPrinterColumns").flatMap(([{ additionalPrinterColumns = [] }, path]) => {
      return additionalPrinterColumns.flatMap((column, index) => checkColumn(column, itemPath(path, index)));
    }),
    ...places("selectableFields").flatMap(([{ selectableFields, schema }, path]) => {
      return checkSelectableFields(selectableFields, schema?.openAPIV3Schema, path);
    }),
  ];
}

function checkVersions(versions: readonly CrdVersion[], areLeftOut: boolean): readonly FieldError[] {
  const found: FieldError[] = [];
  const printed = areLeftOut ? null : versions.map(internal);
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    found.push(fieldInvalid("spec.versions", printed, "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    found.push(fieldInvalid("spec.versions", printed, "must have exactly one version marked as storage version"));
  }
  const name = versions[0]?.name ?? "";
  const wrong = name === "" ? [] : dns1035LabelErrors(name);
  if (wrong.length > 0) found.push(fieldInvalid("spec.version", name, wrong.join(",")));
  return found;
}

/** A version as the server prints it: by the field names of its internal type, without parts stored elsewhere. */
function internal({ name, served = false, storage = false, deprecated = false, deprecationWarning }: CrdVersion): unknown {
  return {
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  };
}

function checkImmutable(spec: CrdSpec, old: KubeObject): readonly FieldError[] {
  const before = crdSpecOf(old);
  const whenEstablished = [
    ...changed("spec.scope", spec.scope, before.scope),
    ...changed("spec.names.kind", spec.names?.kind, before.names?.kind),
  ];
  return [
    ...(hasCrdCondition(old, "Established") ? whenEstablished : []),
    ...changed("spec.group", spec.group, before.group),
    ...changed("spec.names.plural", spec.names?.plural, before.names?.plural),
  ];
}

function changed(path: string, value: unknown, was: unknown): readonly FieldError[] {
  return value === was ? [] : [fieldInvalid(path, value, "field is immutable")];
}

function checkStoredVersions(written: readonly string[] | undefined, versions: readonly CrdVersion[]): readonly FieldError[] {
  const path = "status.storedVersions";
  const stored = written ?? [];
  if (stored.length === 0) return [fieldInvalid(path, written ?? null, "must have at least one stored version")];
  const missing = versions.filter(({ name, storage }) => storage === true && !stored.includes(name));
  const gone = stored.flatMap((name, index) => {
    if (versions.some((version) => version.name === name)) return [];
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [fieldInvalid(itemPath(path, index), name, why)];
  });
  return [...missing.map(({ name }) => fieldInvalid(path, stored, `must have the storage version ${name}`)), ...gone];
}

function checkPreserving(spec: CrdSpec, old: KubeObject | undefined): readonly FieldError[] {
  if (spec.preserveUnknownFields !== true || (old !== undefined && crdSpecOf(old).preserveUnknownFields === true)) return [];
  const why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [fieldInvalid("spec.preserveUnknownFields", true, why)];
}
