import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { kubernetesVersion, moduleFolder } from "../../tools/api-data/modules.ts";

/** The folder of the Kubernetes module, which has kubectl's own suite. */
export function suiteFolder(): string {
  const folder = moduleFolder("k8s.io/kubernetes", kubernetesVersion);
  if (existsSync(join(folder, "test/cmd/legacy-script.sh"))) return folder;
  throw new Fault("find kubectl's own suite", `${folder} has no test/cmd/legacy-script.sh: expected the module of Kubernetes`, {
    final: true,
  });
}

/** Functions that fetch files from the Internet, so that they pass on one machine and fail on the other. */
export const needsInternet: readonly string[] = ["run_multi_resources_tests"];

/** The functions of the suite, in its own order. */
export function suiteFunctions(folder: string): readonly string[] {
  const script = readFileSync(join(folder, "test/cmd/legacy-script.sh"), "utf8");
  return [...script.matchAll(/^ *record_command (run_\w+)$/gm)].map(([, name = ""]) => name);
}
