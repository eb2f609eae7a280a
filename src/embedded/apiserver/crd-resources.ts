import type { KubeObject } from "../../core/object/index.ts";
import { servedCrdVersions, type ServedCrdVersion } from "../crd/index.ts";
import { typeOfCustomResource, type MergeType } from "../managedfields/index.ts";
import { compileRules } from "../schema/index.ts";
import { compileCelRule } from "./compile-cel-rule.ts";
import { apiVersionFor, type ServedResource } from "./served-resource.ts";

/** The resources that a CRD makes the server serve, one for each version; none while the CRD is not established. */
export function resourcesOfCrd(crd: KubeObject): readonly ServedResource[] {
  const versions = servedCrdVersions(crd);
  const types = new Map<string, MergeType>();
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
      custom: { crd, served, rules: compileRules(served.schema, compileCelRule), servedType },
    };
  });
}

function subresourcesOf({ hasStatus, scale }: ServedCrdVersion): ReadonlySet<string> {
  return new Set([...(hasStatus ? ["status"] : []), ...(scale === undefined ? [] : ["scale"])]);
}
