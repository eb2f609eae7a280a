import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { cached, digestOf, goTool, goVersion, run } from "./toolchain.ts";

type Log = (line: string) => void;

/** A Go module with operators. Its modules are pinned in `FOLDER/go.mod`. */
export type OperatorModule = { readonly folder: string; readonly path: string; readonly version: string };

export const certManager: OperatorModule = { folder: "cert-manager", path: "github.com/cert-manager/cert-manager", version: "v1.11.5" };

export const prometheusOperator: OperatorModule = {
  folder: "prometheus-operator",
  path: "github.com/prometheus-operator/prometheus-operator",
  version: "v0.85.0",
};

/** Builds one program of a module (`cmd/NAME`) unless it is cached, and returns its path. */
export function buildOperator(module: OperatorModule, name: string, log: Log): Promise<string> {
  return buildPackage(module, `${module.path}/cmd/${name}`, name, log);
}

/** Builds a package of a module unless it is cached, and returns the path of the program. */
export async function buildPackage({ folder, version }: OperatorModule, from: string, name: string, log: Log): Promise<string> {
  const source = join(import.meta.dirname, folder);
  const files = ["go.mod", "go.sum", "main.go"].map((file) => join(source, file)).filter((file) => existsSync(file));
  const key = digestOf(await goVersion(), version, ...files.map((file) => readFileSync(file)));
  return cached(`${folder}-${version}-${key}`, name, log, (output) =>
    run(["build", "-v", "-trimpath", "-ldflags", "-s -w", "-o", output, from], source, {}, `${folder}/${name} ${version}`, log),
  );
}

/** The folder of a module's own files: its CRDs and its chart. */
export async function operatorSource({ folder, path }: OperatorModule): Promise<string> {
  const { code, output } = await goTool(["list", "-m", "-f", "{{.Dir}}", path], join(import.meta.dirname, folder), {}, () => {});
  if (code !== 0) throw new Fault(`find the sources of ${path}`, output.trim());
  return output.trim();
}
