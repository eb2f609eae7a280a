import { stringAt } from "../../../core/object/index.ts";
import type { ClusterId } from "../../api/index.ts";
import type { ChainLink } from "../../../view/index.ts";
import type { FleetObjects } from "./fleet-objects.ts";
import { brokenLink, linkTo, okLink, unknownLink, waitingLink } from "./link.ts";

/** A managed cluster, as the controller sees it. */
export function clusterLink({ type, namespace, name }: ClusterId, { clusters, isUnreadable }: FleetObjects): ChainLink {
  const link = linkTo(type === "Capi" ? "Cluster" : "SveltosCluster", name, namespace);
  const managed = clusters.find({ type, namespace, name });
  if (managed === undefined)
    return isUnreadable("SveltosCluster")
      ? unknownLink(link, "it may not be read")
      : brokenLink(link, "it is not registered", `sluice register cluster ${name} -n ${namespace} --kubeconfig FILE`);
  const message = stringAt(managed.object, "status.failureMessage", "");
  if (managed.deleting) return waitingLink(link, "it is being deleted");
  if (managed.down || (message !== "" && !managed.ready)) return brokenLink(link, message === "" ? "it cannot be reached" : message);
  if (managed.paused) return waitingLink(link, "it is paused", "set spec.paused to false");
  return managed.ready ? okLink(link) : waitingLink(link, "it is not ready yet", "see that sluice controller is running");
}
