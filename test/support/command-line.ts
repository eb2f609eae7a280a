/**
 * Runs commands in tests: their output and exit code, a folder for files, and embedded clusters that are served until
 * all tests of a file have ended.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { run } from "../../src/cli/program.ts";
import { plainPaint } from "../../src/view/index.ts";

/** The exit code and output of a command. */
export type SluiceResult = { readonly code: number; readonly out: string; readonly err: string };

type RunSluice = (...args: readonly string[]) => Promise<SluiceResult>;

/** Runs one command. */
export const runSluice: RunSluice = async (...args) => {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(args, { out: (line) => out.push(line), err: (line) => err.push(line), paint: plainPaint });
  return { code, out: out.join("\n"), err: err.join("\n") };
};

/** `file` writes a file and returns its path. */
type TestFolder = { readonly path: string; readonly file: (name: string, text: string | Uint8Array) => string };

/** A temporary folder, removed when the process exits. */
export function testFolder(what: string): TestFolder {
  const path = mkdtempSync(join(tmpdir(), `sluice-${what}-`));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  const file = (name: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
    return join(path, name);
  };
  return { path, file };
}

/** `sluice` runs a command on the cluster of this kubeconfig. */
type ServedCluster = { readonly kubeconfig: string; readonly sluice: RunSluice };

/** Serves embedded clusters like `sluice cluster`, with these flags, until all tests of the file have ended. */
export async function serveClusters(folder: TestFolder, ...flags: readonly string[]): Promise<ServedCluster> {
  const kubeconfig = join(folder.path, "kubeconfig");
  const ready = Promise.withResolvers<void>();
  const serving = run(["cluster", "--kubeconfig", kubeconfig, ...flags], { out: () => ready.resolve(), err: () => {}, paint: plainPaint });
  after(async () => {
    process.emit("SIGINT");
    assert.equal(await serving, 0);
  });
  await Promise.race([ready.promise, serving]);
  return { kubeconfig, sluice: (...args) => runSluice(...args, "--kubeconfig", kubeconfig) };
}
