import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileText, type ChartFile } from "../../chart/index.ts";
import { isFields } from "../../core/object/index.ts";
import { parseYaml, writeYaml } from "../../lang/yaml/index.ts";

/** What a project of werf has that Sluice has no part in. */
export function werfWarnings(folder: string): readonly string[] {
  const project = dirname(folder);
  const configured = ["werf.yaml", "werf.yml"].filter((name) => existsSync(join(project, name)));
  const secrets = ["secret-values.yaml", "secret"].filter((name) => existsSync(join(folder, name)));
  return [
    ...configured.map((name) => `${name} is not read: Sluice builds no images; name them in values`),
    ...secrets.map((name) => `.helm/${name} is not read: Sluice decrypts no secret values; give them with -f`),
  ];
}

/** The version of a chart that says none. werf gives it the same. */
const version = "1.0.0";

/** The files of a chart with a `Chart.yaml` that says all that a chart has to say: to werf's charts it is optional. */
export function withChartFile(files: readonly ChartFile[], name: string): readonly ChartFile[] {
  const own = files.find((file) => file.name === "Chart.yaml");
  const said = own === undefined ? {} : parseYaml(fileText(own.data));
  // What is no map is left to be complained of by whoever reads it.
  if (!isFields(said)) return files;
  const text = writeYaml({ apiVersion: "v2", name, version, ...said });
  return [{ name: "Chart.yaml", data: Buffer.from(text) }, ...files.filter((file) => file !== own)];
}
