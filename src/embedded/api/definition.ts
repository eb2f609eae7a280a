import type { KubeObject } from "../../core/object/index.ts";
import { servedVersions, type ServedVersion } from "../crd/index.ts";
import { typeOfCustomResource, type Type } from "../merge/index.ts";
import { compileRules } from "../schema/index.ts";
import { compileRule } from "./compile-rule.ts";
import { apiVersionFor, type Resource } from "./resource.ts";

/** The resources that a definition has the server serve, one for each version; none while it is not established. */
export function resourcesOfDefinition(definition: KubeObject): readonly Resource[] {
  const versions = servedVersions(definition);
  const types = new Map<string, Type>();
  const servedType = (apiVersion: string) => {
    const version = versions.find((item) => apiVersionFor(item) === apiVersion);
    if (version !== undefined && !types.has(apiVersion)) types.set(apiVersion, typeOfCustomResource(version.schema));
    return types.get(apiVersion);
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
      custom: { definition, served, rules: compileRules(served.schema, compileRule), servedType },
    };
  });
}

function subresourcesOf({ hasStatus, scale }: ServedVersion): ReadonlySet<string> {
  return new Set([...(hasStatus ? ["status"] : []), ...(scale === undefined ? [] : ["scale"])]);
}
