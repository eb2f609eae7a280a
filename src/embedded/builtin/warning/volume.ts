import { fieldsAt, isFields, listAt, stringAt, type Fields } from "../../../core/object/index.ts";
import { isUnset } from "../field-edits.ts";
import { claimSpecWarnings } from "./storage.ts";

// Models pkg/api/pod/warnings.go

const deprecatedPlugins = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", ""],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

/** Volumes of plugins that are no more, and claims of ephemeral volumes. */
export function deprecatedVolumeWarnings(volumes: readonly Fields[], path: string): readonly string[] {
  return volumes.flatMap((volume, index) =>
    deprecatedPlugins.flatMap(([field, reason, shown = field]) => {
      if (isUnset(volume[field])) return [];
      const at = `${path}[${index}].${shown}`;
      if (field !== "ephemeral") return [`${at}: ${reason}`];
      return claimSpecWarnings(fieldsAt(volume, "ephemeral.volumeClaimTemplate.spec"), `${at}.volumeClaimTemplate.spec`);
    }),
  );
}

/** A path in a volume, and what puts a file there. */
type PathSource = { readonly path: string; readonly source: string };

/** Files of one volume in the place of others. */
export function overlappingPathWarnings(volumes: readonly Fields[]): readonly string[] {
  return volumes.flatMap((volume) => {
    const name = JSON.stringify(stringAt(volume, "name", ""));
    const say = (what: string, overlap: string) => `volume ${name} (${what}): overlapping paths: ${overlap}`;
    const own: readonly (readonly [what: string, items: readonly Fields[]])[] = [
      [`ConfigMap ${JSON.stringify(stringAt(volume, "configMap.name", ""))}`, listAt(volume, "configMap.items")],
      [`Secret ${JSON.stringify(stringAt(volume, "secret.secretName", ""))}`, listAt(volume, "secret.items")],
      ["DownwardAPI", listAt(volume, "downwardAPI.items")],
    ];
    return [
      ...own.flatMap(([what, items]) => overlapsOf(pathsOf(items, "")).map((overlap) => say(what, overlap))),
      ...projectedWarnings(listAt(volume, "projected.sources"), name, (overlap) => say("Projected", overlap)),
    ];
  });
}

function projectedWarnings(sources: readonly Fields[], name: string, say: (overlap: string) => string): readonly string[] {
  const known: PathSource[] = [];
  return sources.flatMap((source) => {
    const kinds = Object.values(source).filter((value) => !isUnset(value));
    if (kinds.length === 0) return [`volume ${name} (Projected) has no sources provided`];
    return overlapsOf(projectedPaths(source), known).map(say);
  });
}

function projectedPaths(source: Fields): readonly PathSource[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (isFields(configMap) && !isUnset(configMap["items"]))
    return pathsOf(listAt(configMap, "items"), `ConfigMap ${nameOf(configMap, "name")}`);
  if (isFields(secret) && !isUnset(secret["items"])) return pathsOf(listAt(secret, "items"), `Secret ${nameOf(secret, "name")}`);
  if (isFields(downwardAPI) && !isUnset(downwardAPI["items"])) return pathsOf(listAt(downwardAPI, "items"), "DownwardAPI");
  if (isFields(serviceAccountToken)) return pathsOf([serviceAccountToken], "ServiceAccountToken");
  if (isFields(clusterTrustBundle))
    return pathsOf([clusterTrustBundle], `ClusterTrustBundle ${nameOf(clusterTrustBundle, "name", "signerName")}`);
  return [
    ["certificateChainPath", "chain"],
    ["keyPath", "key"],
    ["credentialBundlePath", "credential bundle"],
  ].flatMap(([field = "", what]) => {
    const path = stringAt(podCertificate, field, "");
    return path === "" ? [] : [{ path, source: `PodCertificate ${what}` }];
  });
}

function nameOf(value: unknown, ...fields: readonly string[]): string {
  return JSON.stringify(fields.map((field) => stringAt(value, field)).find((found) => found !== undefined) ?? "");
}

function pathsOf(items: readonly Fields[], source: string): readonly PathSource[] {
  return items.map((item) => ({ path: stringAt(item, "path", ""), source }));
}

/** Which of the paths are, or are below, one before them. Adds them to `known`. */
function overlapsOf(paths: readonly PathSource[], known: PathSource[] = []): readonly string[] {
  return paths.flatMap(({ path: written, source }) => {
    const path = written.replace(/\/+$/, "");
    const others = path === "" ? [] : known.filter((other) => other.path !== "" && isOneBelowOther(other.path, path));
    known.push({ path, source });
    return others.map((other) => `${printed({ path, source })} with ${printed(other)}`);
  });
}

function isOneBelowOther(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function printed({ path, source }: PathSource): string {
  return source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}
