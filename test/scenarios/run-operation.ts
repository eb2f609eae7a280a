import type { Cluster } from "../../src/kube/index.ts";
import { apply } from "../../src/release/apply/index.ts";
import { prepare } from "../../src/release/prepare/index.ts";
import { deploy, uninstallRelease, rollback, test, type DeployOptions } from "../../src/release/deploy/index.ts";
import type { Progress } from "../../src/release/index.ts";
import type { LocatedManifest } from "../../src/lang/yaml/index.ts";
import type { Act } from "./scenario.ts";

/** An act of Sluice itself. */
export type OperationAct = Exclude<Act, { do: "others" }>;

/** The time-out of every operation. */
export const timeoutMs = 60_000;

/** Runs the operation of an act through the public API of release. */
export function runOperation(
  act: OperationAct,
  manifests: readonly LocatedManifest[],
  cluster: Cluster,
  common: Pick<DeployOptions, "signal" | "identity" | "hasDied">,
): AsyncIterable<Progress> {
  const { namespace } = cluster;
  const release = { name: act.release ?? "app", namespace };
  const options: DeployOptions = { timeoutMs, ...act.options, ...common };
  switch (act.do) {
    case "deploy": {
      const { createNamespace = false } = act;
      return deploy({ ...act.terms, release, manifests, createNamespace }, cluster, options);
    }
    case "rollback":
      return rollback({ ...act.terms, release, ...(act.to === undefined ? {} : { to: act.to }) }, cluster, options);
    case "delete":
      return uninstallRelease({ ...act.terms, release }, cluster, options);
    case "test":
      return test({ ...act.terms, release }, cluster, options);
    case "apply":
      return applied(act, manifests, cluster, options);
  }
}

async function* applied(
  { terms = {} }: OperationAct,
  manifests: readonly LocatedManifest[],
  cluster: Cluster,
  options: DeployOptions,
): AsyncGenerator<Progress> {
  const { items } = await prepare(manifests, cluster, options);
  const { wait = "all", forceConflicts: force = false } = terms;
  yield* apply(items, cluster, { ...options, wait, force });
}
