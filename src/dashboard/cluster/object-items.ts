import type { AddonOutline, DryRunOutline, ProfileOutline, ResourceOutline } from "../../view/index.ts";
import type { DeployedObjectItem, DryRunChangeItem, ProfileName } from "../api/index.ts";

/** More are not shown: `sluice show resources` has them all. */
const maxObjects = 2_000;

/** The items of deployed objects whose health has been read. */
export function objectItems(objects: readonly ResourceOutline[]): readonly (readonly [string, DeployedObjectItem])[] {
  return objects.slice(0, maxObjects).map((object) => {
    const { group, version, kind, namespace, name, profiles, deploymentType, release, health, message } = object;
    const item: DeployedObjectItem = {
      type: "object",
      group,
      version,
      kind,
      namespace,
      name,
      profiles: profiles.map(profileNameOf),
      location: deploymentType,
      ...(release === undefined ? {} : { release }),
      health,
      ...(message === undefined ? {} : { message }),
    };
    return [keyOf(object), item];
  });
}

/** The items of what is deployed, while nobody knows how it is doing. Of a chart only the release is known. */
export function listedItems(addons: readonly AddonOutline[]): readonly (readonly [string, DeployedObjectItem])[] {
  return addons.slice(0, maxObjects).flatMap((addon): readonly (readonly [string, DeployedObjectItem])[] => {
    if (addon.type === "chart") return [];
    const { group, version, kind, namespace, name, profiles, deploymentType } = addon;
    const place = { group, version, kind, namespace, name, location: deploymentType } as const;
    return [[keyOf(addon), { type: "object", ...place, profiles: profiles.map(profileNameOf), health: "listed" }]];
  });
}

function keyOf({
  group,
  kind,
  namespace,
  name,
  deploymentType,
}: Pick<ResourceOutline, "group" | "kind" | "namespace" | "name" | "deploymentType">): string {
  return `object/${deploymentType}/${kind}.${group}/${namespace}/${name}`;
}

/** What dry runs would change. What stays as it is needs no word. */
export function changeItems(runs: readonly DryRunOutline[]): readonly (readonly [string, DryRunChangeItem])[] {
  return runs
    .filter(({ action }) => action !== "No Action")
    .slice(0, maxObjects)
    .map((run) => {
      const { profile, namespace, name, action, message } = run;
      const kind = run.type === "chart" ? "release" : run.kind;
      const title = `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
      const item: DryRunChangeItem = {
        type: "change",
        profile: profileNameOf(profile),
        action,
        title,
        ...(message === undefined ? {} : { message }),
      };
      return [`change/${profile.kind}/${profile.name}/${title}`, item];
    });
}

function profileNameOf({ kind, namespace = "", name }: ProfileOutline): ProfileName {
  return { kind, namespace, name };
}
