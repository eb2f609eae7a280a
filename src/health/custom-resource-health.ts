import { fieldsAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { progressingBecause, ready, readyWith, silentBecause, type Health, type KindFacts } from "./health.ts";
import { runsToCompletion, runsOnSchedule } from "./kind-lifecycle.ts";
import { movement, unknownState } from "./state-signals.ts";
import { statusSignals } from "./status-signals.ts";
import { suspension } from "./suspension.ts";
import { isSettled, healthOfSignals } from "./health-of-signals.ts";

/** Judges an object of a kind that nothing is known of, by the conventions that statuses follow. */
export function customResourceHealth(object: KubeObject, kind: KindFacts): Health {
  const name = stringAt(object, "kind", "");
  const suspended = suspension(object);
  if (suspended !== undefined) return suspendedHealth(object, suspended);
  const signals = statusSignals(object);
  if (signals.length === 0) return withoutSignal(object, kind);
  const health = healthOfSignals(signals);
  if (health.state !== "ready" || isSettled(signals)) return health;
  if (runsToCompletion(name)) return progressingBecause("it has not finished yet");
  const riddle = unknownState(fieldsAt(object, "status"));
  return riddle === undefined ? health : silentBecause(riddle);
}

/** What shall rest may still be on its way there. */
function suspendedHealth(object: KubeObject, because: string): Health {
  const moving = movement(fieldsAt(object, "status"));
  return moving === undefined ? readyWith(because) : progressingBecause(`${because}, and ${moving}`);
}

/** Nothing is said, or nothing that can be understood. Somebody may say more later; whoever waits decides for how long. */
function withoutSignal(object: KubeObject, { hasStatus }: KindFacts): Health {
  const status = fieldsAt(object, "status");
  const empty = Object.keys(status).length === 0;
  if (!hasStatus && empty) return ready;
  // What runs by the clock does its work by being there.
  if (runsOnSchedule(stringAt(object, "kind", "")) && (empty || stringAt(status, "lastScheduleTime") !== undefined)) return ready;
  return silentBecause(empty ? "no status yet" : (unknownState(status) ?? "its status does not say how it is doing"));
}
