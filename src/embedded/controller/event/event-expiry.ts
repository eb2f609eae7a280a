import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type ControllerConstructor } from "../controller.ts";

/** The API server's default for --event-ttl. */
const lifetimeMs = 3_600_000;

/** The interval of sweeps: large enough that each finds expired Events. */
const sweepMs = 60_000;

/** Deletes each Event an hour after its last write. Its timer does not keep the clock running. */
export const eventExpiry: ControllerConstructor = ({ api, clock }) => {
  /** Oldest first: a write moves an Event to the end. */
  const expiries = new Map<string, number>();
  let isArmed = false;
  const sweep = (): void => {
    isArmed = false;
    for (const [key, at] of expiries) {
      if (at > clock.now()) break;
      expiries.delete(key);
      const { namespace, name } = splitKey(key);
      api.delete("events", namespace, name);
    }
    arm();
  };
  const arm = (): void => {
    if (isArmed || expiries.size === 0) return;
    isArmed = true;
    const [oldest = 0] = expiries.values();
    clock.after(Math.max(sweepMs, oldest - clock.now()), sweep, { background: true });
  };
  const note = ({ type, object }: StoreEvent): string[] => {
    const key = namespacedKeyOf(object);
    expiries.delete(key);
    if (type !== "DELETED") expiries.set(key, clock.now() + lifetimeMs);
    arm();
    return [];
  };
  return { name: "event-expiry", watches: { events: note }, reconcile: () => undefined };
};
