import { X509Certificate } from "node:crypto";
import type { Cancel } from "../../../core/clock/index.ts";
import { listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import type { ControllerConstructor } from "../controller.ts";

const key = "certificatesigningrequests.certificates.k8s.io";
const hourMs = 3_600_000;
const decidedMs = hourMs;
const pendingMs = 24 * hourMs;

/**
 * Deletes requests an hour after they were approved, denied or failed, those that nobody decides after a day, and those whose
 * certificate has expired. Its timers do not keep the clock running. Models pkg/controller/certificates/cleaner/cleaner.go
 */
export const signingRequestCleaner: ControllerConstructor = ({ api, clock }) => {
  const timers = new Map<string, Cancel>();
  const note = ({ type, object }: StoreEvent): string[] => {
    const { name } = object.metadata;
    timers.get(name)?.();
    timers.delete(name);
    if (type === "DELETED") return [];
    const remove = () => {
      timers.delete(name);
      api.delete(key, "", name);
    };
    timers.set(name, clock.after(Math.max(0, expiryOf(object) - clock.now()), remove, { background: true }));
    return [];
  };
  return { name: "certificate-signing-request-cleaner", watches: { [key]: note }, reconcile: () => undefined };
};

function expiryOf(object: KubeObject): number {
  const conditions = listAt(object, "status.conditions");
  const decided = conditions.map((condition) => Date.parse(stringAt(condition, "lastUpdateTime", "")) + decidedMs);
  const created = Date.parse(object.metadata.creationTimestamp ?? "");
  const ends = [...decided, ...(decided.length === 0 ? [created + pendingMs] : []), ...certificateEnd(object)];
  return Math.min(...ends.filter((end) => !Number.isNaN(end)));
}

function certificateEnd(object: KubeObject): number[] {
  const certificate = stringAt(object, "status.certificate", "");
  if (certificate === "") return [];
  try {
    return [Date.parse(new X509Certificate(Buffer.from(certificate, "base64")).validTo)];
  } catch {
    return []; // another signer may write what is no certificate
  }
}
