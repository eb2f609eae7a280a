import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { cached, digestOf, goTool, goVersion, run } from "./toolchain.ts";

type Log = (line: string) => void;

/** A Go module with operators. Its modules are pinned in `FOLDER/go.mod`. */
type OperatorModule = { readonly folder: string; readonly path: string; readonly version: string };

export const certManager: OperatorModule = { folder: "cert-manager", path: "github.com/cert-manager/cert-manager", version: "v1.11.5" };

export const prometheusOperator: OperatorModule = {
  folder: "prometheus-operator",
  path: "github.com/prometheus-operator/prometheus-operator",
  version: "v0.85.0",
};

/** Builds one program of a module (`cmd/NAME`) unless it is cached, and returns its path. */
export async function buildOperator({ folder, path, version }: OperatorModule, name: string, log: Log): Promise<string> {
  const source = join(import.meta.dirname, folder);
  const key = digestOf(await goVersion(), version, ...["go.mod", "go.sum"].map((file) => readFileSync(join(source, file))));
  return cached(`${folder}-${version}-${key}`, name, log, (output) =>
    run(
      ["build", "-v", "-trimpath", "-ldflags", "-s -w", "-o", output, `${path}/cmd/${name}`],
      source,
      {},
      `${folder}/${name} ${version}`,
      log,
    ),
  );
}

/** The folder of a module's own files: its CRDs and its chart. */
export async function operatorSource({ folder, path }: OperatorModule): Promise<string> {
  const { code, output } = await goTool(["list", "-m", "-f", "{{.Dir}}", path], join(import.meta.dirname, folder), {}, () => {});
  if (code !== 0) throw new Fault(`find the sources of ${path}`, output.trim());
  return output.trim();
}
