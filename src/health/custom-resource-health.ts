import { fieldsAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { progressingBecause, ready, readyWith, silentBecause, type Health, type KindFacts } from "./health.ts";
import { runsToCompletion, runsOnSchedule } from "./kind-lifecycle.ts";
import { movement, unknownState } from "./state-signals.ts";
import { statusSignals } from "./status-signals.ts";
import { suspension } from "./suspension.ts";
import { isSettled, healthOfSignals } from "./health-of-signals.ts";

/** Assesses an object of an unknown kind by the conventions of statuses. */
export function customResourceHealth(object: KubeObject, kind: KindFacts): Health {
  const name = stringAt(object, "kind", "");
  const suspended = suspension(object);
  if (suspended !== undefined) return suspendedHealth(object, suspended);
  const signals = statusSignals(object);
  if (signals.length === 0) return withoutSignal(object, kind);
  const health = healthOfSignals(signals);
  if (health.state !== "ready" || isSettled(signals)) return health;
  if (runsToCompletion(name)) return progressingBecause("it has not finished yet");
  const unknown = unknownState(fieldsAt(object, "status"));
  return unknown === undefined ? health : silentBecause(unknown);
}

/** A suspended object may still be stopping. */
function suspendedHealth(object: KubeObject, because: string): Health {
  const moving = movement(fieldsAt(object, "status"));
  return moving === undefined ? readyWith(because) : progressingBecause(`${because}, and ${moving}`);
}

/** For an empty status or one that cannot be interpreted. The caller decides how long to wait for more. */
function withoutSignal(object: KubeObject, { hasStatus }: KindFacts): Health {
  const status = fieldsAt(object, "status");
  const empty = Object.keys(status).length === 0;
  if (!hasStatus && empty) return ready;
  // A scheduled kind is ready as soon as it exists.
  if (runsOnSchedule(stringAt(object, "kind", "")) && (empty || stringAt(status, "lastScheduleTime") !== undefined)) return ready;
  return silentBecause(empty ? "no status yet" : (unknownState(status) ?? "its status does not say how it is doing"));
}
