import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { RealClock, type Cancel } from "../../src/core/clock/index.ts";
import { Fault } from "../../src/core/fault/index.ts";
import { withBuildLock } from "./build-lock.ts";

/** The version of Kubernetes under test. Its modules are pinned in `control-plane/go.mod`. */
export const kubernetesVersion = "v1.35.8";
const kwokVersion = "v0.8.0";
const helmVersion = "v4.2.4";
const kappVersion = "v0.66.0";
const kustomizeVersion = "v5.7.1";

const source = join(import.meta.dirname, "control-plane");
const buildDate = "2026-08-20T00:00:00Z";
const clock = new RealClock();

type Log = (line: string) => void;

/** Builds the control plane unless it is cached, and returns its path. */
export async function buildControlPlane(log: Log): Promise<string> {
  const go = await goVersion();
  const texts = ["go.mod", "go.sum", "main.go", "etcd.go"].map((name) => readFileSync(join(source, name)));
  const key = digestOf(go, kubernetesVersion, ...texts);
  return cached(`control-plane-${kubernetesVersion}-${key}`, "control-plane", log, (output) =>
    run(["build", "-v", "-trimpath", "-ldflags", linkerFlags(), "-o", output, "."], source, {}, `Kubernetes ${kubernetesVersion}`, log),
  );
}

/** Builds kubectl as a program of its own, which starts twice as fast as the control plane, and `kubectl-convert`; returns their folders. */
export async function buildKubectl(log: Log): Promise<readonly string[]> {
  const key = digestOf(await goVersion(), kubernetesVersion, readFileSync(join(source, "go.mod")));
  const build = (name: string) =>
    cached(`${name}-${kubernetesVersion}-${key}`, name, log, (output) => {
      const args = ["build", "-v", "-trimpath", "-ldflags", linkerFlags(), "-o", output, `k8s.io/kubernetes/cmd/${name}`];
      return run(args, source, {}, `${name} ${kubernetesVersion}`, log);
    });
  return [dirname(await build("kubectl")), dirname(await build("kubectl-convert"))];
}

/** Builds KWOK for the benchmarks, and returns its path. */
export async function buildKwok(log: Log): Promise<string> {
  const key = digestOf(await goVersion(), kwokVersion);
  return cached(`kwok-${kwokVersion}-${key}`, "kwok", log, async (output) => {
    const environment = { GOBIN: join(output, "..") };
    await run(["install", "-v", `sigs.k8s.io/kwok/cmd/kwok@${kwokVersion}`], source, environment, `KWOK ${kwokVersion}`, log);
    renameSync(join(output, "..", "kwok"), output);
  });
}

/** KWOK's stages that make pods ready at once. They are files of its module, and not built in. */
export async function kwokStages(): Promise<string> {
  const { code, output } = await goTool(["mod", "download", "-json", `sigs.k8s.io/kwok@${kwokVersion}`], source, {}, () => {});
  if (code !== 0) throw new Fault(`fetch KWOK ${kwokVersion}`, output.trim());
  const { Dir: folder } = JSON.parse(output) as { Dir: string };
  const stages = ["node/fast", "node/heartbeat-with-lease", "pod/fast", "volume/fast"].flatMap((part) =>
    globSync(`kustomize/stage/${part}/*.yaml`, { cwd: folder, exclude: (name) => basename(name) === "kustomization.yaml" }),
  );
  return stages.map((name) => readFileSync(join(folder, name), "utf8")).join("\n---\n");
}

/** Builds Helm, and returns its path. Without a stamped version it would call itself v4.2. */
export async function buildHelm(log: Log): Promise<string> {
  const key = digestOf(await goVersion(), helmVersion);
  return cached(`helm-${helmVersion}-${key}`, "helm", log, async (output) => {
    const flags = ["-v", "-trimpath", "-ldflags", `-s -w -X helm.sh/helm/v4/internal/version.version=${helmVersion}`];
    const environment = { GOBIN: join(output, "..") };
    await run(["install", ...flags, `helm.sh/helm/v4/cmd/helm@${helmVersion}`], source, environment, `Helm ${helmVersion}`, log);
    renameSync(join(output, "..", "helm"), output);
  });
}

/** Builds a program that renders many charts in one process with Helm's own code, and returns its path. */
export async function buildHelmEngine(log: Log): Promise<string> {
  const folder = join(import.meta.dirname, "..", "..", "bench", "helm-engine");
  const texts = ["go.mod", "go.sum", "main.go"].map((name) => readFileSync(join(folder, name)));
  const key = digestOf(await goVersion(), ...texts);
  return cached(`helm-engine-${helmVersion}-${key}`, "helm-engine", log, (output) =>
    run(["build", "-v", "-trimpath", "-ldflags", "-s -w", "-o", output, "."], folder, {}, `Helm's engine ${helmVersion}`, log),
  );
}

/** Builds kapp for the benchmarks, and returns its path. Its modules are pinned in `kapp/go.mod`. */
export async function buildKapp(log: Log): Promise<string> {
  const folder = join(import.meta.dirname, "kapp");
  const texts = ["go.mod", "go.sum"].map((name) => readFileSync(join(folder, name)));
  const key = digestOf(await goVersion(), kappVersion, ...texts);
  return cached(`kapp-${kappVersion}-${key}`, "kapp", log, (output) => {
    const stamp = `-s -w -X carvel.dev/kapp/pkg/kapp/version.Version=${kappVersion.slice(1)}`;
    return run(
      ["build", "-v", "-trimpath", "-ldflags", stamp, "-o", output, "carvel.dev/kapp/cmd/kapp"],
      folder,
      {},
      `kapp ${kappVersion}`,
      log,
    );
  });
}

/** Builds Kustomize, whose answers the patches of profiles are compared with, and returns its path. */
export async function buildKustomize(log: Log): Promise<string> {
  const key = digestOf(await goVersion(), kustomizeVersion);
  return cached(`kustomize-${kustomizeVersion}-${key}`, "kustomize", log, async (output) => {
    const flags = ["-v", "-trimpath", "-ldflags", `-s -w -X sigs.k8s.io/kustomize/api/provenance.version=${kustomizeVersion}`];
    const program = `sigs.k8s.io/kustomize/kustomize/v5@${kustomizeVersion}`;
    await run(["install", ...flags, program], source, { GOBIN: join(output, "..") }, `Kustomize ${kustomizeVersion}`, log);
    renameSync(join(output, "..", "kustomize"), output);
  });
}

/** Both version packages are stamped: without that a server calls itself v0.0.0-master, and clients refuse it. */
function linkerFlags(): string {
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)/.exec(kubernetesVersion) ?? [];
  const values = {
    gitVersion: kubernetesVersion,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: "clean",
    gitCommit: "unknown",
    buildDate,
  };
  const stamps = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((path) =>
    Object.entries(values).map(([name, value]) => `-X ${path}.${name}=${value}`),
  );
  return ["-s -w", ...stamps].join(" ");
}

/**
 * A program in the cache, which is outside of the work tree. It is built under another name and renamed when complete, by one
 * process at a time.
 */
export async function cached(folder: string, name: string, log: Log, make: (output: string) => Promise<void>): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "sluice");
  const home = join(cache, folder);
  const program = join(home, name);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  return withBuildLock(`${home}.lock`, clock, log, async () => {
    if (existsSync(program)) return program;
    const abandoned = readdirSync(cache).filter((entry) => entry.startsWith(`${folder}.making-`));
    for (const entry of abandoned) rmSync(join(cache, entry), { recursive: true });
    const workshop = mkdtempSync(`${home}.making-`);
    try {
      const unfinished = join(workshop, `${name}.new`);
      await make(unfinished);
      chmodSync(unfinished, 0o755);
      mkdirSync(home, { recursive: true });
      renameSync(unfinished, program);
    } finally {
      rmSync(workshop, { recursive: true, force: true });
    }
    return program;
  });
}

export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 16);
}

export async function goVersion(): Promise<string> {
  const { code, output } = await goTool(["env", "GOVERSION"], source, {}, () => {}).catch((cause: unknown) => {
    throw new Fault("no Go toolchain found: install Go 1.26 or newer to build the control plane (npm test needs none)", undefined, {
      final: cause instanceof Error,
    });
  });
  if (code !== 0) throw new Fault("ask Go for its version", output.trim());
  return output.trim();
}

/** Runs `go` and logs from time to time that it still runs: a cold build takes minutes. */
export async function run(args: readonly string[], folder: string, env: Record<string, string>, what: string, log: Log): Promise<void> {
  const startedAt = clock.now();
  const seconds = () => Math.round((clock.now() - startedAt) / 1000);
  let packages = 0;
  let cancel: Cancel;
  const logProgress = () => {
    log(`  building ${what}: ${packages} packages compiled, ${seconds()} s`);
    cancel = clock.after(15_000, logProgress, { background: true });
  };
  log(`building ${what} from its Go modules (once; a cold build takes up to fifteen minutes)`);
  cancel = clock.after(15_000, logProgress, { background: true });
  try {
    const { code, output } = await goTool(args, folder, env, (piece) => (packages += piece.split("\n").length - 1));
    if (code !== 0) throw new Fault(`build ${what}`, output.trimEnd().split("\n").slice(-20).join("\n"));
    log(`built ${what} in ${seconds()} s`);
  } finally {
    cancel();
  }
}

export function goTool(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  onOutput: (piece: string) => void,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("go", args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (piece: string) => {
        output += piece;
        onOutput(piece);
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
