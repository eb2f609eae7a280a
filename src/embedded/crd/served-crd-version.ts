import { createHash } from "node:crypto";
import type { KubeObject } from "../../core/object/index.ts";
import { tableColumnsOf, type ApiResource, type ApiVersion } from "../data/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";
import { canonicalSchema } from "./canonical-schema.ts";
import { hasCrdCondition, crdSpecOf, crdStatusOf, type CrdSpec, type CrdVersion, type PrinterColumn, type ScalePaths } from "./crd.ts";

/** One served version of a CRD: all that a server needs to serve its objects. */
export type ServedCrdVersion = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The version that objects are stored in. */
  readonly storageVersion: string;
  readonly storageVersionHash: string;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  /** The same object wherever the content is the same. */
  readonly schema: JsonSchemaProps;
  /** Names of fields that a field selector may use: `spec.size`. */
  readonly selectableFields: readonly string[];
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  /** The deprecation warning of this version, if it is deprecated. */
  readonly warning: string | undefined;
};

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const verbsWhileTerminating = ["delete", "deletecollection", "get", "list", "watch"];
const subresourceVerbs = ["get", "patch", "update"];

/** The printer column of a CRD that declares none: the age, described as that of any kind. Models apiextensions pkg/apiserver/helpers.go */
function ageColumn(): PrinterColumn {
  const { description = "" } = tableColumnsOf("Namespace")?.find(({ name }) => name === "Age") ?? {};
  return { name: "Age", type: "date", description, jsonPath: ".metadata.creationTimestamp" };
}

/**
 * The versions that a CRD serves, the preferred one first; none while it is not established.
 *
 * Models apiextensions pkg/apiserver/customresource_discovery_controller.go, customresource_handler.go
 */
export function servedCrdVersions(crd: KubeObject): readonly ServedCrdVersion[] {
  if (!hasCrdCondition(crd, "Established")) return [];
  const { versions = [] } = crdSpecOf(crd);
  const served = versions.filter((version) => version.served === true);
  return served.map((version) => describe(crd, version)).toSorted((a, b) => compareKubeAwareVersions(b.version, a.version));
}

function describe(crd: KubeObject, version: CrdVersion): ServedCrdVersion {
  const { group = "", scope, versions = [] } = crdSpecOf(crd);
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = crdStatusOf(crd).acceptedNames ?? {};
  const storageVersion = versions.find((item) => item.storage === true)?.name ?? version.name;
  return {
    group,
    version: version.name,
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    namespaced: scope === "Namespaced",
    verbs: hasCrdCondition(crd, "Terminating") ? verbsWhileTerminating : verbs,
    storageVersion,
    storageVersionHash: storageVersionHash(group, storageVersion, kind),
    hasStatus: version.subresources?.status !== undefined,
    scale: version.subresources?.scale,
    schema: canonicalSchema(version.schema?.openAPIV3Schema ?? {}),
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, "")),
    additionalPrinterColumns: columnsOf(version),
    warning: warningOf(crdSpecOf(crd), version),
  };
}

function columnsOf({ additionalPrinterColumns = [] }: CrdVersion): readonly PrinterColumn[] {
  return additionalPrinterColumns.length === 0 ? [ageColumn()] : additionalPrinterColumns;
}

/** Models apiextensions pkg/apiserver/customresource_handler.go defaultDeprecationWarning */
function warningOf({ group = "", names, versions = [] }: CrdSpec, version: CrdVersion): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const better = versions
    .filter(({ name, served, deprecated }) => served === true && deprecated !== true && compareKubeAwareVersions(version.name, name) < 0)
    .map(({ name }) => name)
    .toSorted((a, b) => compareKubeAwareVersions(b, a));
  const [best] = better;
  const kind = names?.kind ?? "";
  return `${group}/${version.name} ${kind} is deprecated${best === undefined ? "" : `; use ${group}/${best} ${kind}`}`;
}

/** Models apiserver pkg/endpoints/discovery/storageversionhash.go */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}

/** The entries of discovery for a version: the resource and its subresources. */
export function discoveryEntries(served: ServedCrdVersion): readonly ApiResource[] {
  const { plural, singular, namespaced, kind, shortNames, categories } = served;
  const main: ApiResource = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: served.verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    storageVersionHash: served.storageVersionHash,
  };
  const below = { singularName: "", namespaced };
  const status: ApiResource = { name: `${plural}/status`, ...below, kind, verbs: subresourceVerbs };
  const scale: ApiResource = {
    name: `${plural}/scale`,
    ...below,
    group: "autoscaling",
    version: "v1",
    kind: "Scale",
    verbs: subresourceVerbs,
  };
  return [main, ...(served.hasStatus ? [status] : []), ...(served.scale === undefined ? [] : [scale])];
}

/** A version of a group for discovery, with the resources of all CRDs that serve it. */
export function discoveryVersion(version: string, served: readonly ServedCrdVersion[]): ApiVersion {
  return { version, resources: served.flatMap(discoveryEntries), custom: true };
}

const kubeVersion = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const ranks: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/**
 * Compares versions in the order of preference of Kubernetes: v2, v1, v1beta2, v1alpha1, then others by name. Negative
 * when `a` comes after `b`.
 *
 * Models apimachinery pkg/version/helpers.go CompareKubeAwareVersionStrings
 */
export function compareKubeAwareVersions(a: string, b: string): number {
  const [left, right] = [kubeVersion.exec(a), kubeVersion.exec(b)];
  if (left === null && right === null) return a === b ? 0 : a < b ? 1 : -1;
  if (left === null || right === null) return left === null ? -1 : 1;
  return rankOf(left) - rankOf(right) || Number(left[1]) - Number(right[1]) || Number(left[3] ?? 0) - Number(right[3] ?? 0);
}

/** Stable versions before beta and alpha ones. */
function rankOf(version: RegExpExecArray): number {
  return ranks[version[2] ?? ""] ?? 2;
}
