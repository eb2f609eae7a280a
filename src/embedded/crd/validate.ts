import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../field-error.ts";
import { childPath, dns1035Label, dns1123Subdomain, itemPath, type CompileRule } from "../schema/index.ts";
import { approvalErrors } from "./approval.ts";
import { checkConversion } from "./conversion-check.ts";
import { hasCondition, specOf, statusOf, type DefinitionSpec, type DefinitionVersion } from "./definition.ts";
import { checkGroup, checkNames } from "./names.ts";
import { validateSchema } from "./schema-check.ts";
import { checkColumn, checkDeprecation, checkSelectableFields, checkSubresources } from "./version-check.ts";

export type DefinitionCheck = {
  /** What the definition was before. Default: it is being created. */
  readonly old?: KubeObject;
  /** Default: rules are not compiled, and so not refused. */
  readonly compile?: CompileRule;
};

/**
 * Checks a CustomResourceDefinition that has been defaulted and prepared for writing. Its metadata is checked as far as
 * definitions have rules of their own for it. Models apiextensions pkg/apis/apiextensions/validation/validation.go
 */
export function validateDefinition(definition: KubeObject, { old, compile }: DefinitionCheck = {}): readonly FieldError[] {
  const spec = specOf(definition);
  return [
    ...(old === undefined ? checkName(definition, spec) : []),
    ...checkSpec(spec, compile),
    ...(old === undefined ? [] : checkImmutable(spec, old)),
    ...checkStoredVersions(statusOf(definition).storedVersions, spec.versions ?? []),
    ...approvalErrors(definition, old),
    ...checkPreserving(spec, old),
  ];
}

function checkName({ metadata: { name } }: KubeObject, { names, group = "" }: DefinitionSpec): readonly FieldError[] {
  const wrong = name === `${names?.plural ?? ""}.${group}` ? [] : ['must be spec.names.plural+"."+spec.group'];
  return [...dns1123Subdomain(name), ...wrong].map((why) => invalid("metadata.name", name, why));
}

function checkSpec(spec: DefinitionSpec, compile: CompileRule | undefined): readonly FieldError[] {
  const { group = "", scope = "", names = {}, versions = [], conversion } = spec;
  return [
    ...checkGroup(group, "spec.group"),
    ...checkScope(scope),
    ...versions.flatMap(({ schema }, index) => {
      const isThere = schema?.openAPIV3Schema !== undefined;
      return isThere ? [] : [required(`${itemPath("spec.versions", index)}.schema.openAPIV3Schema`)];
    }),
    ...versions.flatMap((version, index) => checkVersionName(version, itemPath("spec.versions", index))),
    ...checkContents(versions, compile),
    ...checkVersions(versions, spec.versions === undefined),
    ...checkNames(names, "spec.names"),
    ...checkConversion(conversion, "spec.conversion"),
  ];
}

function checkScope(scope: string): readonly FieldError[] {
  if (scope === "") return [required("spec.scope")];
  return scope === "Cluster" || scope === "Namespaced" ? [] : [notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function checkVersionName(version: DefinitionVersion, path: string): readonly FieldError[] {
  const wrong = dns1035Label(version.name);
  return [
    ...(wrong.length === 0 ? [] : [invalid(childPath(path, "name"), version.name, wrong.join(","))]),
    ...checkDeprecation(version, path),
  ];
}

/** The server keeps once what all versions have in common, and tells of it where it keeps it. */
const shared: Readonly<Record<"schema" | "subresources" | "additionalPrinterColumns" | "selectableFields", string>> = {
  schema: "spec.validation",
  subresources: "spec.subresources",
  additionalPrinterColumns: "spec.additionalPrinterColumns",
  selectableFields: "spec.selectableFields",
};

function checkContents(versions: readonly DefinitionVersion[], compile: CompileRule | undefined): readonly FieldError[] {
  const [first] = versions;
  const isShared = (part: keyof typeof shared) => versions.every((version) => isDeepStrictEqual(version[part], first?.[part]));
  const places = (part: keyof typeof shared): readonly (readonly [DefinitionVersion, string])[] => {
    if (first !== undefined && isShared(part)) return [[first, shared[part]]];
    return versions.map((version, index) => [version, childPath(itemPath("spec.versions", index), part)]);
  };
  const hasAnyStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
  return [
    ...places("schema").flatMap(([{ schema, subresources }, path]) => {
      const hasStatus = isShared("schema") ? hasAnyStatus : subresources?.status !== undefined;
      return schema?.openAPIV3Schema === undefined ? [] : validateSchema(schema.openAPIV3Schema, path, hasStatus, compile);
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

function checkVersions(versions: readonly DefinitionVersion[], areLeftOut: boolean): readonly FieldError[] {
  const found: FieldError[] = [];
  const told = areLeftOut ? null : versions.map(internal);
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    found.push(invalid("spec.versions", told, "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    found.push(invalid("spec.versions", told, "must have exactly one version marked as storage version"));
  }
  const name = versions[0]?.name ?? "";
  const wrong = name === "" ? [] : dns1035Label(name);
  if (wrong.length > 0) found.push(invalid("spec.version", name, wrong.join(",")));
  return found;
}

/** A version as the server prints it: by the names of its internal type, without what is kept elsewhere. */
function internal({ name, served = false, storage = false, deprecated = false, deprecationWarning }: DefinitionVersion): unknown {
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

function checkImmutable(spec: DefinitionSpec, old: KubeObject): readonly FieldError[] {
  const before = specOf(old);
  const whenEstablished = [
    ...changed("spec.scope", spec.scope, before.scope),
    ...changed("spec.names.kind", spec.names?.kind, before.names?.kind),
  ];
  return [
    ...(hasCondition(old, "Established") ? whenEstablished : []),
    ...changed("spec.group", spec.group, before.group),
    ...changed("spec.names.plural", spec.names?.plural, before.names?.plural),
  ];
}

function changed(path: string, value: unknown, was: unknown): readonly FieldError[] {
  return value === was ? [] : [invalid(path, value, "field is immutable")];
}

function checkStoredVersions(written: readonly string[] | undefined, versions: readonly DefinitionVersion[]): readonly FieldError[] {
  const path = "status.storedVersions";
  const stored = written ?? [];
  if (stored.length === 0) return [invalid(path, written ?? null, "must have at least one stored version")];
  const missing = versions.filter(({ name, storage }) => storage === true && !stored.includes(name));
  const gone = stored.flatMap((name, index) => {
    if (versions.some((version) => version.name === name)) return [];
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [invalid(itemPath(path, index), name, why)];
  });
  return [...missing.map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)), ...gone];
}

function checkPreserving(spec: DefinitionSpec, old: KubeObject | undefined): readonly FieldError[] {
  if (spec.preserveUnknownFields !== true || (old !== undefined && specOf(old).preserveUnknownFields === true)) return [];
  const why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, why)];
}

/** Needed by callers that refuse what only a webhook could do. */
export function needsWebhook(definition: KubeObject): FieldError | undefined {
  if (specOf(definition).conversion?.strategy !== "Webhook") return undefined;
  return forbidden("spec.conversion.strategy", "the embedded cluster converts between versions with the strategy None only");
}
