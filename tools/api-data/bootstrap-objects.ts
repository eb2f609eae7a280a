import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The objects beside policy that a server creates when it starts, as kube-apiserver v1.35.8 had them: local APIServices, the
 * configuration of priority and fairness, and the range of services. Times are empty; there are no uids.
 */
export function recordedBootstrapObjects(): readonly unknown[] {
  const file = join(import.meta.dirname, "recorded/bootstrap-objects.json");
  return JSON.parse(readFileSync(file, "utf8")) as readonly unknown[];
}
