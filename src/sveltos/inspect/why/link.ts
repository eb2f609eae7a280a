import { conditionsOf, findCondition, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { deletionText } from "../../../health/index.ts";
import { failureMessageOf, type ReadResult } from "../../api/index.ts";
import type { ChainLink } from "../../../view/index.ts";
import { adviceFor } from "./advice.ts";

type LinkObject = ChainLink["object"];

export function linkTo(kind: string, name: string, namespace = ""): LinkObject {
  return { kind, namespace, name };
}

export function objectOf({ kind, metadata }: KubeObject): LinkObject {
  return linkTo(kind, metadata.name, metadata.namespace);
}

export function okLink(object: LinkObject, message = ""): ChainLink {
  return { object, state: "ok", message };
}

export function waitingLink(object: LinkObject, message: string, advice?: string): ChainLink {
  return { object, state: "waiting", message, ...(advice === undefined ? {} : { advice }) };
}

export function brokenLink(object: LinkObject, message: string, advice?: string): ChainLink {
  return { object, state: "broken", message, ...(advice === undefined ? adviceFor(message) : { advice }) };
}

export function unknownLink(object: LinkObject, message: string): ChainLink {
  return { object, state: "unknown", message };
}

/** What is wrong with an object as a whole: it is refused, has failed or is suspended. */
export function ownTrouble(object: KubeObject, reading: ReadResult<unknown>): ChainLink | undefined {
  const link = objectOf(object);
  const objection = failureMessageOf(reading) ?? stringAt(object, "status.failureMessage", "");
  if (objection !== "") return brokenLink(link, objection);
  const suspended = stringAt(object, "status.suspensionReason");
  return suspended === undefined ? undefined : waitingLink(link, `suspended: ${suspended}`);
}

/** An object that is being deleted, and what holds that up. */
export function deletionLink(object: KubeObject): ChainLink {
  const message = `it is ${deletionText(object)}`;
  const isBlocked = findCondition(object, "WithdrawalBlocked", "True") !== undefined;
  return isBlocked ? brokenLink(objectOf(object), message) : waitingLink(objectOf(object), message);
}

/** The first condition that holds. Some are told where their cause is: by the cluster that does not match, or by the EventSource. */
export function conditionTrouble(object: KubeObject): ChainLink | undefined {
  const holding = conditionsOf(object).find(({ type, status }) => status === "True" && !toldElsewhere(type, object));
  return holding === undefined ? undefined : brokenLink(objectOf(object), holding.message ?? holding.reason ?? holding.type);
}

function toldElsewhere(type: string, { kind }: KubeObject): boolean {
  return type === "Reconciling" || type === "NoMatchingCluster" || (type === "KindNotServed" && kind !== "EventSource");
}
