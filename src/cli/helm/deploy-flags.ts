import type { ReuseFlags } from "../chart/chart-options.ts";
import type { DeployTerms, WaitFlag } from "../shared-options.ts";
import type { HelmDeployFlags } from "./helm-options.ts";

/** What Helm's flags are called by `deploy`. */
export function deployFlagsOf(flags: HelmDeployFlags & ReuseFlags & DeployTerms) {
  const { wait, output, rollbackOnFailure, atomic, ...same } = flags;
  const autoRollback = rollbackOnFailure || atomic;
  return { ...same, wait: waitFlagOf(wait, autoRollback), autoRollback, output: output === "ndjson" ? output : "text" } as const;
}

/** A deploy that is undone when it fails has to be waited for. Models helm pkg/action/install.go RunWithContext */
function waitFlagOf(strategy: HelmDeployFlags["wait"], autoRollback: boolean): WaitFlag["wait"] {
  return (strategy === "hookOnly" || strategy === "false") && !autoRollback ? "hooks" : true;
}
