import { isDeleting, type KubeObject } from "../../../core/object/index.ts";
import { clusterConfigurationName, type ClusterId } from "../../api/index.ts";
import type { ChainLink } from "../../../view/index.ts";
import { adviceFor } from "./advice.ts";
import type { DeployedObjectReader, OpenObject } from "./deployed-object-reader.ts";
import { summaryIn } from "./deploy-links.ts";
import type { FleetObjects } from "./fleet-objects.ts";
import { linkTo, okLink, unknownLink } from "./link.ts";

/** There is a link of so many objects that are not ready. */
const maxObjects = 10;

/** The links from what a profile has deployed in a cluster to the pods of it that do not start. */
export async function objectLinks(
  profile: KubeObject,
  cluster: ClusterId,
  fleet: FleetObjects,
  reader: DeployedObjectReader,
): Promise<readonly ChainLink[]> {
  const link = linkTo("ClusterConfiguration", clusterConfigurationName(cluster), cluster.namespace);
  if (fleet.isUnreadable("ClusterConfiguration"))
    return [unknownLink(link, "it may not be read, so that the deployed objects are unknown")];
  const { addons, open, because } = await reader.read(profile, cluster);
  // What is missing while it is withdrawn is as it should be, and the ClusterSummary says what it waits for.
  const summary = summaryIn(cluster, profile, fleet);
  if (addons.length === 0 || (summary !== undefined && isDeleting(summary))) return [];
  const more = open.length - maxObjects;
  const rest = unknownLink(linkTo("Objects", "others"), `${more} more are not ready: sluice show resources --failed lists them`);
  const links = [...open.slice(0, maxObjects).map(objectLink), ...(more > 0 ? [rest] : [])];
  if (because !== undefined) return [...links, unknownLink(link, `the cluster cannot be asked: ${because}`)];
  return links.length > 0
    ? links
    : [
        okLink(
          link,
          addons.length === 1 ? "what it lists of the profile is ready" : `all ${addons.length} that it lists of the profile are ready`,
        ),
      ];
}

const states = { failed: "broken", missing: "broken", progressing: "waiting", unknown: "unknown", ready: "ok" } as const;

function objectLink({ kind, namespace, name, health, message = "", details }: OpenObject): ChainLink {
  const comesBack = { advice: "the controller brings it back by itself; sluice redeploy cluster asks for it" };
  return {
    object: linkTo(kind, name, namespace),
    state: states[health],
    message,
    ...(details.length === 0 ? {} : { details }),
    ...(health === "missing" ? comesBack : adviceFor(message)),
  };
}
