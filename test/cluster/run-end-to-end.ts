import { globSync } from "node:fs";
import { basename } from "node:path";
import { run } from "node:test";
import { stringAt } from "../../src/core/object/index.ts";
import type { TestTally } from "./run-conformance.ts";
import type { RealCluster } from "./real-cluster.ts";

/** The environment variables that describe the cluster to tests. */
export const environmentVariables = {
  kubeconfig: "SLUICE_TEST_KUBECONFIG",
  kubectl: "SLUICE_TEST_KUBECTL",
  hasKubelet: "SLUICE_TEST_MOVES",
} as const;

/** Runs `test/cluster/*.e2e.ts` with Node's runner. `program` contains kubectl. */
export async function runEndToEnd(
  underTest: RealCluster,
  program: string,
  only: RegExp,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<TestTally> {
  const files = globSync("*.e2e.ts", { cwd: import.meta.dirname })
    .map((name) => `${import.meta.dirname}/${name}`)
    .filter((name) => only.test(name));
  log(`end to end: ${files.length} files`);
  process.env[environmentVariables.kubectl] = program;
  process.env[environmentVariables.hasKubelet] = underTest.hasKubelet ? "yes" : "no";
  if (underTest.kubeconfig !== undefined) process.env[environmentVariables.kubeconfig] = underTest.kubeconfig;
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of run({ files, concurrency: 1, signal })) {
    if (type === "test:summary" && data.file !== undefined) log(`  ${basename(data.file)}: ${Math.round(data.duration_ms / 1000)} s`);
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, details } = data;
    // A group or a file counts only when it failed by itself.
    const isGroup = details.type === "suite" || files.includes(name);
    if (type === "test:pass") {
      passed += isGroup ? 0 : 1;
    } else if (!isGroup || failureTypeOf(details.error) !== "subtestsFailed") {
      failed++;
      if (failureTypeOf(details.error) !== "cancelledByParent")
        log([`  FAILED ${name}`, ...messageOf(details.error).split("\n")].join("\n    "));
    }
  }
  return { passed, failed };
}

/** Why Node's runner counts a test as failed, which its types leave out. */
function failureTypeOf(error: Error): string | undefined {
  return stringAt(error, "failureType");
}

function messageOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
