import { stringsAt, type KubeObject } from "../../core/object/index.ts";
import { statusOccurrences } from "../../sveltos/inspect/index.ts";
import type { ProfileDependencyItem, ProfileView } from "../api/index.ts";

/** Reduces a profile to what another one's page says of it. */
export function reduceDependency(profile: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = profile;
  const { name, namespace, uid = "", resourceVersion = "" } = metadata;
  const message = statusOccurrences(profile).find(({ state }) => state === "failing")?.message;
  const dependsOn = stringsAt(profile, "spec.dependsOn");
  const kept = { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion };
  return { apiVersion, kind, metadata: kept, spec: { dependsOn }, ...(message === undefined ? {} : { message }) };
}

/** The profiles that one depends on, and those that depend on it. All are of its kind and in its namespace. */
export function dependencyItems(
  { kind, namespace, name }: ProfileView,
  profiles: readonly KubeObject[],
): readonly (readonly [string, ProfileDependencyItem])[] {
  const known = new Map(profiles.map((profile) => [profile.metadata.name, profile]));
  const item = (direction: ProfileDependencyItem["direction"], other: string): readonly [string, ProfileDependencyItem] => {
    const found = known.get(other);
    const { message } = (found ?? {}) as { readonly message?: string };
    const profile = { kind, namespace, name: other };
    return [
      `dependency/${direction}/${other}`,
      { type: "dependency", profile, direction, exists: found !== undefined, ...(message === undefined ? {} : { message }) },
    ];
  };
  return [
    ...stringsAt(known.get(name), "spec.dependsOn").map((other) => item("needs", other)),
    ...profiles
      .filter((profile) => stringsAt(profile, "spec.dependsOn").includes(name))
      .map(({ metadata }) => item("neededBy", metadata.name)),
  ];
}
