/**
 * `npm run test:package`: packs everything, twice, and does with it what users do: installs it with several versions of npm and
 * Node, runs the executables, the image and the chart on a real control plane. Arguments name files to run instead of all.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { startRealCluster } from "../cluster/real-cluster.ts";
import { projectRoot, runProgram } from "../cluster/run-program.ts";
import { buildControlPlane, buildHelm } from "../cluster/toolchain.ts";
import { environment } from "./packages.ts";
import { installTools } from "./install-tools.ts";

const log = (line: string) => void process.stdout.write(`${line}\n`);
const last = "reproducible.e2e.ts";

async function main(): Promise<number> {
  await installTools(log);
  const controlPlane = await buildControlPlane(log);
  await buildHelm(log);
  const workshop = mkdtempSync(join(tmpdir(), "sluice-test-package-"));
  try {
    const [folder, again] = [join(workshop, "out"), join(workshop, "again")];
    log("packing");
    await packInto(folder);
    return await tested(controlPlane, { [environment.packed]: folder, [environment.again]: again, ...(await npmSettings()) });
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Runs all tests. Meanwhile everything is packed once more. */
async function tested(controlPlane: string, env: Record<string, string>): Promise<number> {
  const named = process.argv.slice(2);
  const files = globSync("*.e2e.ts", { cwd: import.meta.dirname }).filter(
    (file) => named.length === 0 || named.some((name) => file.startsWith(name)),
  );
  const again = files.includes(last) ? packInto(env[environment.again] ?? "") : Promise.resolve();
  const broken: unknown[] = [];
  const cluster = await startRealCluster(controlPlane, (error) => broken.push(error));
  try {
    const all = { ...env, [environment.kubeconfig]: cluster.kubeconfig ?? "", [environment.kubectl]: controlPlane };
    const code = await testFiles(files.filter((file) => file !== last).toSorted(), all);
    await again;
    const lastCode = files.includes(last) ? await testFiles([last], all) : 0;
    for (const error of broken) log(`the kubelet failed: ${error instanceof Error ? error.message : String(error)}`);
    return code === 0 && lastCode === 0 && broken.length === 0 ? 0 : 1;
  } finally {
    await cluster.close();
  }
}

async function testFiles(files: readonly string[], env: Record<string, string>): Promise<number> {
  if (files.length === 0) return 0;
  const paths = files.map((file) => join(import.meta.dirname, file));
  const child = spawn(process.execPath, ["--test", "--test-concurrency=1", ...paths], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

async function packInto(folder: string): Promise<void> {
  const { code, err } = await runProgram(process.execPath, [join(projectRoot, "tools", "package", "main.ts"), folder]);
  if (code !== 0) throw new Fault("npm run package", err.trim(), { final: true });
}

/** Where this machine's npm gets packages from: those that are tried have an empty home, and would not know. */
async function npmSettings(): Promise<Record<string, string>> {
  const [registry, authorities] = [await npmSetting("registry"), await npmSetting("cafile")];
  return { [environment.registry]: registry, [environment.authorities]: authorities === "null" ? "" : authorities };
}

async function npmSetting(key: string): Promise<string> {
  return (await runProgram("npm", ["config", "get", key])).out.trim();
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Fault || !(error instanceof Error) ? String(error).replace(/^Fault: /, "") : error.stack}\n`);
  process.exitCode = 1;
}
