import { fieldsAt, stringAt, type KubeObject } from "../core/object/index.ts";
import { progressing, ready, readyWith, silent, type Health, type KindFacts } from "./health.ts";
import { endsByItself, runsByTheClock } from "./kind-name.ts";
import { movement, unknownState } from "./state-sign.ts";
import { signsOf } from "./status-signs.ts";
import { suspension } from "./suspension.ts";
import { isSettled, verdict } from "./verdict.ts";

/** Judges an object of a kind that nothing is known of, by the conventions that statuses follow. */
export function custom(object: KubeObject, kind: KindFacts): Health {
  const name = stringAt(object, "kind", "");
  const suspended = suspension(object);
  if (suspended !== undefined) return atRest(object, suspended);
  const signs = signsOf(object);
  if (signs.length === 0) return withoutSign(object, kind);
  const health = verdict(signs);
  if (health.state !== "ready" || isSettled(signs)) return health;
  if (endsByItself(name)) return progressing("it has not finished yet");
  const riddle = unknownState(fieldsAt(object, "status"));
  return riddle === undefined ? health : silent(riddle);
}

/** What shall rest may still be on its way there. */
function atRest(object: KubeObject, because: string): Health {
  const moving = movement(fieldsAt(object, "status"));
  return moving === undefined ? readyWith(because) : progressing(`${because}, and ${moving}`);
}

/** Nothing is said, or nothing that can be understood. Somebody may say more later; whoever waits decides for how long. */
function withoutSign(object: KubeObject, { hasStatus }: KindFacts): Health {
  const status = fieldsAt(object, "status");
  const empty = Object.keys(status).length === 0;
  if (!hasStatus && empty) return ready;
  // What runs by the clock does its work by being there.
  if (runsByTheClock(stringAt(object, "kind", "")) && (empty || stringAt(status, "lastScheduleTime") !== undefined)) return ready;
  return silent(empty ? "no status yet" : (unknownState(status) ?? "its status does not say how it is doing"));
}
