import { mkdirSync } from "node:fs";
import { Fault } from "../../src/core/fault/index.ts";
import { buildPackage, type OperatorModule } from "./operator-binaries.ts";
import { runProgram } from "./run-program.ts";
import { cached } from "./toolchain.ts";

type Log = (line: string) => void;

const pythonClientVersion = "35.0.0";
const javascriptClientVersion = "2.0.1";

const stern: OperatorModule = { folder: "stern", path: "github.com/stern/stern", version: "v1.33.1" };
const k9s: OperatorModule = { folder: "k9s", path: "github.com/derailed/k9s", version: "v0.50.18" };

const otelCollector: OperatorModule = {
  folder: "otel-collector",
  path: "go.opentelemetry.io/collector/receiver/otlpreceiver",
  version: "v0.150.0",
};

/** Builds a collector of OpenTelemetry with its receiver of OTLP, which prints what it gets, and returns its path. */
export const buildOtelCollector = (log: Log): Promise<string> => buildPackage(otelCollector, ".", "otel-collector", log);

/** Builds stern, which follows the logs of many pods, and returns its path. */
export const buildStern = (log: Log): Promise<string> => buildPackage(stern, stern.path, "stern", log);

/** Builds k9s, which shows a cluster in a terminal, and returns its path. */
export const buildK9s = (log: Log): Promise<string> => buildPackage(k9s, k9s.path, "k9s", log);

/** Installs the official Python client into the cache, and returns a folder for PYTHONPATH. */
export function installPythonClient(log: Log): Promise<string> {
  const what = `kubernetes==${pythonClientVersion}`;
  return cached(`python-client-${pythonClientVersion}`, "packages", log, (output) =>
    install("python3", ["-m", "pip", "install", "--quiet", "--target", output, what], `the Python client ${pythonClientVersion}`, log),
  );
}

/** Installs the official JavaScript client into the cache, and returns the folder of its node_modules. */
export function installJavaScriptClient(log: Log): Promise<string> {
  const what = `@kubernetes/client-node@${javascriptClientVersion}`;
  return cached(`javascript-client-${javascriptClientVersion}`, "packages", log, (output) => {
    mkdirSync(output);
    const flags = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", output];
    return install("npm", [...flags, what], `the JavaScript client ${javascriptClientVersion}`, log);
  });
}

async function install(program: string, args: readonly string[], what: string, log: Log): Promise<void> {
  log(`installing ${what} (once)`);
  const { code, out, err } = await runProgram(program, args);
  if (code !== 0) throw new Fault(`install ${what}: ${program} ${args.join(" ")}`, `${out}${err}`.trim());
}
