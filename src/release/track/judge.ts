import { compile } from "../../lang/cel/index.ts";
import { assess, explain, failed, lastEndOf, progressing, ready, readyWith, withoutRoom, type Health } from "../../health/index.ts";
import { condition, parseJsonPath, printJsonPath, stringAt, stringsAt, type KubeObject } from "../../core/object/index.ts";
import type { Gate, Property, Tracking } from "../order/index.ts";
import { failuresOf } from "./failures.ts";
import { kotsReady } from "./kots-ready.ts";

/** What there is to know beside the object itself, when it is asked for. */
export type Around = {
  readonly hasStatus: boolean;
  /** The pods of a workload. */
  readonly pods: (object: KubeObject) => readonly KubeObject[];
  /** What the controller of a workload was told last when it wanted to make a pod and could not. */
  readonly refusal?: (object: KubeObject, pods: readonly KubeObject[]) => string | undefined;
  /** Containers whose readiness probe fails for longer than it may. */
  readonly overdue?: (object: KubeObject, pods: readonly KubeObject[]) => readonly string[];
  /** All of a kind in its namespace. */
  readonly all: (kind: "Service" | "EndpointSlice") => Iterable<KubeObject>;
  /** The object that is to be gone: another one of its name does not count. */
  readonly uid?: string;
};

/** Tells how far an object is from a gate: `ready` when it is open. */
export type Judge = (object: KubeObject | undefined, around: Around) => Health;

/**
 * All gates as one: the first that has failed decides, then the first that is shut. Where somebody has written what an
 * object is to look like, a status that nobody understands shuts nothing. Throws when a rule or path cannot be read.
 */
export function judgeOf(gates: readonly Gate[], tracking: Pick<Tracking, "failuresAllowedPerReplica">): Judge {
  const judges = gates.map((gate) => judgeOne(gate, tracking));
  const isDescribed = gates.some(({ until }) => until === "properties" || until === "rule");
  const isShut = (health: Health) => health.state === "progressing" && !(isDescribed && health.silent === true);
  return (object, around) => {
    const found = judges.map((judge) => judge(object, around));
    return found.find(({ state }) => state === "failed") ?? found.find(isShut) ?? found.find(({ state }) => state === "ready") ?? ready;
  };
}

function judgeOne(gate: Gate, tracking: Pick<Tracking, "failuresAllowedPerReplica">): Judge {
  switch (gate.until) {
    case "absent":
      return gone;
    case "applied":
    case "present":
      return present(() => ready);
    case "ready":
      return present((object, around) => healthOf(object, around, tracking));
    case "completed":
      return present((object, around) => completed(object, healthOf(object, around, tracking)));
    case "kots-ready":
      return present(kotsReady);
    case "properties":
      return properties(gate.properties);
    case "rule":
      return rule(gate.rule);
  }
}

function present(judge: (object: KubeObject, around: Around) => Health): Judge {
  return (object, around) => (object === undefined ? progressing("it does not exist") : judge(object, around));
}

const gone: Judge = (object, { uid }) => {
  if (object === undefined || (uid !== undefined && object.metadata.uid !== uid)) return readyWith("it is gone");
  const finalizers = stringsAt(object, "metadata.finalizers");
  if (finalizers.length > 0) return progressing(`being deleted, kept by the finalizers ${finalizers.join(", ")}`);
  return progressing(object.metadata.deletionTimestamp === undefined ? "it is still there" : "being deleted");
};

/** Its own word, with what its pods say. Where somebody has said how many failures are too many, those are counted. */
function healthOf(object: KubeObject, around: Around, { failuresAllowedPerReplica }: Pick<Tracking, "failuresAllowedPerReplica">): Health {
  const own = assess(object, around);
  if (own.state === "ready") return own;
  const pods = around.pods(object);
  const refusal = around.refusal?.(object, pods);
  const explained = explain(own, object, pods, refusal);
  if (own.state === "failed" || explained.state === "ready") return explained;
  const overdue = around.overdue?.(object, pods) ?? [];
  const because = [explained.because, ...overdue].join("; ");
  if (failuresAllowedPerReplica === undefined)
    return overdue.length > 0 && explained.state === "progressing" ? failed(because) : { ...explained, because };
  const { count, allowed } = failuresOf(object, pods, failuresAllowedPerReplica);
  const noRoom = explained.state === "failed" ? explained.noRoom : undefined;
  const failures = count + overdue.length + (noRoom === "denied" ? 1 : 0);
  if (failures <= allowed) return { ...own, because };
  // A container that was just started again has nothing to complain of.
  const ends = because === own.because ? pods.flatMap((pod) => lastEndOf(pod) ?? []).slice(0, 1) : [];
  const told = `${[because, ...ends].join("; ")} (${failures} failures, ${allowed} allowed)`;
  return noRoom === undefined ? failed(told) : withoutRoom(told, noRoom);
}

/** A suspended Job counts as ready and has not run. */
function completed(object: KubeObject, health: Health): Health {
  if (health.state !== "ready") return health;
  const ended = condition(object, "Complete", "True") !== undefined || stringAt(object, "status.phase") === "Succeeded";
  const runs = object.kind === "Job" || object.kind === "Pod";
  return ended || !runs ? health : progressing(health.note ?? "running to its end");
}

function properties(wanted: readonly Property[]): Judge {
  const paths = wanted.map(({ path, value }) => ({ path, value, parsed: parseJsonPath(path) }));
  return present((object) => {
    for (const { path, value, parsed } of paths) {
      const found = textAt(parsed, object);
      if (found !== value) return progressing(`${path} is ${found === "" ? "empty" : found}, not ${value}`);
    }
    return ready;
  });
}

/** An index beyond the end is as good as a field that is missing. */
function textAt(path: ReturnType<typeof parseJsonPath>, object: KubeObject): string {
  try {
    return printJsonPath(path, object);
  } catch {
    return ""; // the path does not reach that far yet
  }
}

function rule(source: string): Judge {
  const program = compile(source, { variables: { self: "dyn" } });
  return present((object) => {
    try {
      return program.evaluate({ self: object }) === true ? ready : progressing(`its rule does not hold yet: ${source}`);
    } catch (error) {
      return progressing(`its rule cannot be judged yet: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}
