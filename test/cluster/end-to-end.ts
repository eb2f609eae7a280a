import { globSync } from "node:fs";
import { run } from "node:test";
import type { Tally } from "./conformance.ts";
import type { Ground } from "./ground.ts";

/** How a test learns of the cluster it runs on. */
export const environment = {
  kubeconfig: "SLUICE_TEST_KUBECONFIG",
  kubectl: "SLUICE_TEST_KUBECTL",
  moves: "SLUICE_TEST_MOVES",
} as const;

/** Runs `test/cluster/*.e2e.ts` with node's own runner. `program` has kubectl in it. */
export async function endToEnd(ground: Ground, program: string, only: RegExp, log: (line: string) => void): Promise<Tally> {
  const files = globSync("*.e2e.ts", { cwd: import.meta.dirname })
    .map((name) => `${import.meta.dirname}/${name}`)
    .filter((name) => only.test(name));
  log(`end to end: ${files.length} files`);
  process.env[environment.kubectl] = program;
  process.env[environment.moves] = ground.moves ? "yes" : "no";
  if (ground.kubeconfig !== undefined) process.env[environment.kubeconfig] = ground.kubeconfig;
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of run({ files, concurrency: 1 })) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details.type === "suite" || files.includes(data.name)) continue;
    if (type === "test:pass") passed++;
    else {
      failed++;
      log(`  FAILED ${data.name}`);
      const { cause } = data.details.error;
      for (const line of String(cause instanceof Error ? cause.message : data.details.error.message).split("\n")) log(`    ${line}`);
    }
  }
  return { passed, failed };
}
