import { spawn } from "node:child_process";
import {
  chmodSync,
  constants,
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { finished } from "node:stream/promises";
import { RealClock } from "../../src/core/clock/index.ts";
import type { SuiteCluster } from "./suite-cluster.ts";
import { suiteKubeconfig, suiteNode, suiteScript } from "./suite-script.ts";

/** How one function of the suite ended. */
export type FunctionResult = {
  readonly name: string;
  readonly passed: boolean;
  /** How many assertions succeeded. */
  readonly asserts: number;
  readonly seconds: number;
  /** Why it failed, as far as its output tells. */
  readonly why: string;
};

type SuiteTools = {
  /** The folder of the Kubernetes module. */
  readonly suite: string;
  /** Folders with kubectl and its plugins in them. */
  readonly programs: readonly string[];
  /** Where the output of each function is kept. Default: nowhere. */
  readonly logs: string | undefined;
};

const clock = new RealClock();
const limitMs = 900_000;
const linked = ["hack", "third_party", "api", "cluster"];
const copied = ["fixtures", "cmd"];

/** Runs one function of the suite on a cluster of its own. The module is only read: the function works in a folder of links. */
export async function runFunction(name: string, cluster: SuiteCluster, tools: SuiteTools): Promise<FunctionResult> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-kubectl-"));
  const startedAt = clock.now();
  try {
    linkSuite(tools.suite, folder);
    linkPrograms(tools.programs, folder);
    writeFileSync(join(folder, "node.json"), suiteNode);
    writeFileSync(join(folder, "run.sh"), suiteScript);
    writeFileSync(join(folder, "apiserver.crt"), cluster.certificate);
    mkdirSync(join(folder, "home/.kube"), { recursive: true });
    writeFileSync(join(folder, "home/.kube/config"), suiteKubeconfig(cluster.port));
    const logFile = join(tools.logs ?? folder, `${name}.log`);
    const code = await runBash(name, folder, logFile, cluster.port);
    const output = readFileSync(logFile, "utf8");
    return {
      name,
      passed: code === 0,
      asserts: output.match(/Successful/g)?.length ?? 0,
      seconds: Math.round((clock.now() - startedAt) / 1000),
      why: code === 0 ? "" : code === undefined ? `not over after ${limitMs / 1000} s` : reasonIn(output),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Links to the module. Its fixtures are copied, because a module has lost which of its files are programs, and so are its
 * scripts, which write into `/tmp` itself, where two functions at once, or somebody else, may have a file of the same name.
 */
function linkSuite(suite: string, folder: string): void {
  for (const entry of linked) symlinkSync(join(suite, entry), join(folder, entry));
  mkdirSync(join(folder, "test"));
  for (const entry of readdirSync(join(suite, "test")))
    if (!copied.includes(entry)) symlinkSync(join(suite, "test", entry), join(folder, "test", entry));
  mkdirSync(join(folder, "test/cmd"));
  for (const entry of readdirSync(join(suite, "test/cmd"))) {
    const script = readFileSync(join(suite, "test/cmd", entry), "utf8");
    writeFileSync(join(folder, "test/cmd", entry), script.replaceAll(/(?<!:-)\/tmp\//g, `${folder}/`));
  }
  const fixtures = join(folder, "test/fixtures");
  cpSync(join(suite, "test/fixtures"), fixtures, { recursive: true, mode: constants.COPYFILE_FICLONE });
  for (const file of readdirSync(fixtures, { recursive: true, encoding: "utf8" }))
    if (basename(file).startsWith("kubectl-")) chmodSync(join(fixtures, file), 0o755);
}

/** Where the suite expects the programs that it would build. */
function linkPrograms(programs: readonly string[], folder: string): void {
  const bin = join(folder, "_output/bin");
  mkdirSync(bin, { recursive: true });
  for (const from of programs) for (const name of readdirSync(from)) symlinkSync(join(from, name), join(bin, name));
}

/** The exit code, or undefined when it took too long. */
async function runBash(name: string, folder: string, logFile: string, port: number): Promise<number | undefined> {
  const log = createWriteStream(logFile);
  const child = spawn("bash", ["run.sh"], {
    cwd: folder,
    // A group of its own, so that what it leaves behind ends with it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: `${join(folder, "_output/bin")}:${process.env["PATH"] ?? ""}`,
      TERM: "xterm",
      TMPDIR: folder,
      HOME: join(folder, "home"),
      SECURE_API_PORT: String(port),
      TEST_FUNCTION: name,
      // The embedded cluster has no commit of Kubernetes to name.
      ALLOW_SKEW: "true",
      KUBE_JUNIT_REPORT_DIR: join(folder, "junit"),
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  let isLate = false;
  const endGroup = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // every process of the group has ended
    }
  };
  const cancel = clock.after(limitMs, () => {
    isLate = true;
    endGroup();
  });
  process.once("exit", endGroup);
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status) => resolve(status ?? 1));
  });
  cancel();
  process.removeListener("exit", endGroup);
  endGroup();
  log.end();
  await finished(log);
  return isLate ? undefined : code;
}

/** The lines before the suite gives up. */
function reasonIn(output: string): string {
  // What comes before is the suite's check of itself, which fails on purpose.
  const begun = output.slice(Math.max(0, output.indexOf("Checking kubectl version")));
  const lines = begun.split("\n").filter((line) => line.trim() !== "" && !line.includes("Successful"));
  const at = lines.findIndex((line) => /FAIL!|^!!! .*Call tree|exited with status/.test(line));
  return (at < 0 ? lines.slice(-8) : lines.slice(Math.max(0, at - 6), at + 5)).join("\n");
}
