import { compileCel } from "../../lang/cel/index.ts";
import {
  assess,
  deletionText,
  explainByPods,
  failedBecause,
  lastTerminationOf,
  progressingBecause,
  ready,
  readyWith,
  noRoomBecause,
  type Health,
} from "../../health/index.ts";
import { findCondition, parseJsonPath, printJsonPath, stringAt, stringsAt, type KubeObject } from "../../core/object/index.ts";
import type { Gate, Property, Tracking } from "../order/index.ts";
import { podFailuresOf } from "./pod-failures.ts";
import { kotsReady } from "./kots-ready.ts";

/** What gates need beside the object itself; read on demand. */
export type GateContext = {
  readonly hasStatus: boolean;
  /** The pods of a workload. */
  readonly pods: (object: KubeObject) => readonly KubeObject[];
  /** The message of the last failed pod creation of a workload. */
  readonly refusal?: (object: KubeObject, pods: readonly KubeObject[]) => string | undefined;
  /** Containers whose readiness probe fails for longer than allowed. */
  readonly overdue?: (object: KubeObject, pods: readonly KubeObject[]) => readonly string[];
  /** All objects of a kind in its namespace. */
  readonly all: (kind: "Service" | "EndpointSlice") => Iterable<KubeObject>;
  /** The uid of the object to be gone: a recreated one does not count. */
  readonly uid?: string;
};

/** Checks an object against a gate: `ready` when the gate is open. */
export type GateCheck = (object: KubeObject | undefined, context: GateContext) => Health;

/**
 * Combines gates: the first failed one decides, then the first closed one. With a written gate, a status that is not
 * understood closes nothing. Throws when a rule or path is invalid.
 */
export function gateCheckOf(gates: readonly Gate[], tracking: Pick<Tracking, "failuresAllowedPerReplica">): GateCheck {
  const checks = gates.map((gate) => singleGateCheck(gate, tracking));
  const isDescribed = gates.some(({ until }) => until === "properties" || until === "rule");
  const isShut = (health: Health) => health.state === "progressing" && !(isDescribed && health.silent === true);
  return (object, context) => {
    const found = checks.map((check) => check(object, context));
    return found.find(({ state }) => state === "failed") ?? found.find(isShut) ?? found.find(({ state }) => state === "ready") ?? ready;
  };
}

function singleGateCheck(gate: Gate, tracking: Pick<Tracking, "failuresAllowedPerReplica">): GateCheck {
  switch (gate.until) {
    case "absent":
      return gone;
    case "applied":
    case "present":
      return present(() => ready);
    case "ready":
      return present((object, context) => healthOf(object, context, tracking));
    case "completed":
      return present((object, context) => completed(object, healthOf(object, context, tracking)));
    case "kots-ready":
      return present(kotsReady);
    case "properties":
      return properties(gate.properties);
    case "rule":
      return rule(gate.rule);
  }
}

function present(check: (object: KubeObject, context: GateContext) => Health): GateCheck {
  return (object, context) => (object === undefined ? progressingBecause("it does not exist") : check(object, context));
}

const gone: GateCheck = (object, { uid }) => {
  if (object === undefined || (uid !== undefined && object.metadata.uid !== uid)) return readyWith("it is gone");
  const finalizers = stringsAt(object, "metadata.finalizers");
  if (finalizers.length > 0) return progressingBecause(deletionText(object));
  return progressingBecause(object.metadata.deletionTimestamp === undefined ? "it is still there" : "being deleted");
};

/** The object's health with that of its pods. With failures-allowed-per-replica, failures are counted. */
function healthOf(
  object: KubeObject,
  context: GateContext,
  { failuresAllowedPerReplica }: Pick<Tracking, "failuresAllowedPerReplica">,
): Health {
  const own = assess(object, context);
  if (own.state === "ready") return own;
  const pods = context.pods(object);
  const refusal = context.refusal?.(object, pods);
  const explained = explainByPods(own, object, pods, refusal);
  if (own.state === "failed" || explained.state === "ready") return explained;
  const overdue = context.overdue?.(object, pods) ?? [];
  const because = [explained.because, ...overdue].join("; ");
  if (failuresAllowedPerReplica === undefined)
    return overdue.length > 0 && explained.state === "progressing" ? failedBecause(because) : { ...explained, because };
  const { count, allowed } = podFailuresOf(object, pods, failuresAllowedPerReplica);
  const noRoom = explained.state === "failed" ? explained.noRoom : undefined;
  const failures = count + overdue.length + (noRoom === "denied" ? 1 : 0);
  if (failures <= allowed) return { ...own, because };
  // A container that was just restarted shows no error, so its last termination is added.
  const ends = because === own.because ? pods.flatMap((pod) => lastTerminationOf(pod) ?? []).slice(0, 1) : [];
  const message = `${[because, ...ends].join("; ")} (${failures} failures, ${allowed} allowed)`;
  return noRoom === undefined ? failedBecause(message) : noRoomBecause(message, noRoom);
}

/** A suspended Job is ready but has not run. */
function completed(object: KubeObject, health: Health): Health {
  if (health.state !== "ready") return health;
  const ended = findCondition(object, "Complete", "True") !== undefined || stringAt(object, "status.phase") === "Succeeded";
  const runs = object.kind === "Job" || object.kind === "Pod";
  return ended || !runs ? health : progressingBecause(health.note ?? "running to its end");
}

function properties(wanted: readonly Property[]): GateCheck {
  const paths = wanted.map(({ path, value }) => ({ path, value, parsed: parseJsonPath(path) }));
  return present((object) => {
    for (const { path, value, parsed } of paths) {
      const found = textAt(parsed, object);
      if (found !== value) return progressingBecause(`${path} is ${found === "" ? "empty" : found}, not ${value}`);
    }
    return ready;
  });
}

/** An index beyond the end counts as a missing field. */
function textAt(path: ReturnType<typeof parseJsonPath>, object: KubeObject): string {
  try {
    return printJsonPath(path, object);
  } catch {
    return ""; // The path does not exist yet.
  }
}

function rule(source: string): GateCheck {
  const program = compileCel(source, { variables: { self: "dyn" } });
  return present((object) => {
    try {
      return program.evaluate({ self: object }) === true ? ready : progressingBecause(`its rule does not hold yet: ${source}`);
    } catch (error) {
      return progressingBecause(`its rule cannot be judged yet: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}
