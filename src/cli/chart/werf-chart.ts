import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileText, type ChartFile } from "../../chart/index.ts";
import { isFields } from "../../core/object/index.ts";
import { parseYaml, writeYaml } from "../../lang/yaml/index.ts";

/** Warnings about files of a werf project that Sluice does not read. */
export function werfWarnings(folder: string): readonly string[] {
  const project = dirname(folder);
  const configured = ["werf.yaml", "werf.yml"].filter((name) => existsSync(join(project, name)));
  const secrets = ["secret-values.yaml", "secret"].filter((name) => existsSync(join(folder, name)));
  return [
    ...configured.map((name) => `${name} is not read: Sluice builds no images; name them in values`),
    ...secrets.map((name) => `.helm/${name} is not read: Sluice decrypts no secret values; give them with -f`),
  ];
}

/** The version that werf gives to a chart without one. */
const version = "1.0.0";

/** Adds or completes `Chart.yaml`, which is optional in werf's charts. */
export function withChartFile(files: readonly ChartFile[], name: string): readonly ChartFile[] {
  const own = files.find((file) => file.name === "Chart.yaml");
  const said = own === undefined ? {} : parseYaml(fileText(own.data));
  // The chart loader reports a `Chart.yaml` that is no map.
  if (!isFields(said)) return files;
  const text = writeYaml({ apiVersion: "v2", name, version, ...said });
  return [{ name: "Chart.yaml", data: Buffer.from(text) }, ...files.filter((file) => file !== own)];
}
