import type { KubeObject } from "../../core/object/index.ts";
import { servedCrdVersions, type ServedCrdVersion } from "../crd/index.ts";
import { typeOfCustomResource, type MergeType } from "../managedfields/index.ts";
import { compileRules, type CheckRules, type JsonSchemaProps } from "../schema/index.ts";
import { compileCelRule } from "./compile-cel-rule.ts";
import { apiVersionFor, type ServedResource } from "./served-resource.ts";

/** The resources that a CRD makes the server serve, one for each version; none while the CRD is not established. */
export function resourcesOfCrd(crd: KubeObject): readonly ServedResource[] {
  const versions = servedCrdVersions(crd);
  const servedType = (apiVersion: string) => {
    const version = versions.find((item) => apiVersionFor(item) === apiVersion);
    return version === undefined ? undefined : typeFor(version.schema);
  };
  return versions.map((served) => {
    const { group, version, kind, plural, singular, namespaced, verbs, shortNames, categories, storageVersion } = served;
    return {
      group,
      version,
      kind,
      plural,
      singular,
      namespaced,
      verbs,
      shortNames,
      categories,
      storageVersion,
      subresources: subresourcesOf(served),
      key: `${plural}.${group}`,
      custom: { crd, served, rules: rulesOf(served.schema), servedType },
    };
  });
}

const compiled = new WeakMap<JsonSchemaProps, { readonly rules: CheckRules | undefined }>();

/** Schemas are compiled once for all clusters of the process. */
function rulesOf(schema: JsonSchemaProps): CheckRules | undefined {
  const known = compiled.get(schema) ?? { rules: compileRules(schema, compileCelRule) };
  compiled.set(schema, known);
  return known.rules;
}

const types = new WeakMap<JsonSchemaProps, MergeType>();

function typeFor(schema: JsonSchemaProps): MergeType {
  const type = types.get(schema) ?? typeOfCustomResource(schema);
  types.set(schema, type);
  return type;
}

function subresourcesOf({ hasStatus, scale }: ServedCrdVersion): ReadonlySet<string> {
  return new Set([...(hasStatus ? ["status"] : []), ...(scale === undefined ? [] : ["scale"])]);
}
