import { isStatusError } from "../../status-error.ts";
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
      const { namespace, name } = splitKey(key);
      if (at > clock.now() || !isDeleted(namespace, name)) break;
      expiries.delete(key);
    }
    arm();
  };
  /** False when the API server takes no writes: the next sweep tries it again. */
  const isDeleted = (namespace: string, name: string): boolean => {
    try {
      api.delete("events", namespace, name);
      return true;
    } catch (error) {
      if (isStatusError(error)) return false;
      throw error;
    }
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
