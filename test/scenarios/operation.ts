import type { Cluster } from "../../src/kube/index.ts";
import { apply, prepare } from "../../src/release/apply/index.ts";
import { deploy, remove, rollback, test, type DeployOptions } from "../../src/release/deploy/index.ts";
import type { Story } from "../../src/release/index.ts";
import type { Manifest } from "../../src/lang/yaml/index.ts";
import type { Act } from "./scenario.ts";

/** An act of Sluice's own. */
export type Operating = Exclude<Act, { do: "others" }>;

/** No scenario is meant to last longer, in whichever time. */
const timeoutMs = 60_000;

/** Does what an act says, through the front doors of the release. */
export function operationOf(
  act: Operating,
  manifests: readonly Manifest[],
  cluster: Cluster,
  common: Pick<DeployOptions, "signal" | "identity" | "hasDied">,
): AsyncIterable<Story> {
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
      return remove({ ...act.terms, release }, cluster, options);
    case "test":
      return test({ ...act.terms, release }, cluster, options);
    case "apply":
      return applied(act, manifests, cluster, options);
  }
}

async function* applied(
  { terms = {} }: Operating,
  manifests: readonly Manifest[],
  cluster: Cluster,
  options: DeployOptions,
): AsyncGenerator<Story> {
  const { items } = await prepare(manifests, cluster, options);
  const { wait = "all", forceConflicts: force = false } = terms;
  yield* apply(items, cluster, { ...options, wait, force });
}
