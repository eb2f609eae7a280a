import { owningProfile, type AddonOutcome } from "../../deploy/index.ts";
import { gvkOf } from "../../api/index.ts";
import { apiVersionOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";

/** The failure messages of a status; undefined when the deploy has succeeded. */
export function failureMessageIn({ settled, status }: Pick<AddonOutcome, "settled" | "status">): string | undefined {
  if (settled) return undefined;
  const messages = (status.featureSummaries ?? []).flatMap(({ status: state, failureMessage }) =>
    state === "Provisioned" || failureMessage === undefined ? [] : [failureMessage],
  );
  return [...(status.failureMessage === undefined ? [] : [status.failureMessage]), ...messages].join("\n") || "failed";
}

/** Records a failure as Events on the ClusterSummary and on its profile. */
export function recordFailure(summary: KubeObject, reason: string, message: string, { telemetry }: ControllerContext): void {
  // The log has it already, with the profile and the cluster.
  telemetry.recordEvent(summary, { type: "Warning", reason, message }, { log: false });
  const profile = profileAsObject(summary);
  if (profile === undefined) return;
  const { namespace = "", name } = summary.metadata;
  telemetry.recordEvent(profile, { type: "Warning", reason, message: `${namespace}/${name}: ${message}` }, { log: false });
}

function profileAsObject(summary: KubeObject): KubeObject | undefined {
  const owner = owningProfile(summary);
  if (owner === undefined) return undefined;
  const { kind, namespace, name, uid } = owner;
  return { apiVersion: apiVersionOf(gvkOf(kind)), kind, metadata: { name, uid, ...(namespace === "" ? {} : { namespace }) } };
}
