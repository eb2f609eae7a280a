import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { userValues, type Chart } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { loadChartAt } from "../../release/load/index.ts";
import { sortRendering, helmFunctions, renderFiles, templateText } from "../../release/render/index.ts";
import { Engine } from "../../lang/template/index.ts";
import { templateEnvironment } from "../chart/chart-request.ts";

/** Where `deploy/` is: beside the bundle, or at the root of the project when it runs from source. */
const chartFolders = ["./deploy/", "../../../deploy/"];

/** The chart that installs Sluice. It is part of the package. */
function sluiceChart(): Chart {
  const folders = chartFolders.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = folders.find((folder) => existsSync(`${folder}Chart.yaml`));
  if (found === undefined) throw new Fault(`the chart of Sluice is neither at ${folders.join(" nor at ")}`);
  return loadChartAt(found);
}

/** `includeCrd` selects CRDs by their file names. */
type InstallManifestOptions = {
  readonly namespace: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly includeCrd: (file: string) => boolean;
};

/** Renders everything that installs Sluice, as YAML. */
export function renderInstallManifests({ namespace, values, includeCrd }: InstallManifestOptions): string {
  const given = userValues({ files: [{ name: "the flags", text: JSON.stringify(values) }] });
  const engine = new Engine(helmFunctions(templateEnvironment()));
  const release = { name: "sluice", namespace, isUpgrade: false };
  const rendered = renderFiles(sluiceChart(), given, { engine, release });
  const chosen = rendered.crds.filter(({ file }) => includeCrd(file));
  return templateText(sortRendering({ ...rendered, crds: chosen }), { includeCrds: true });
}
