import { loadChart, userValues, type Chart } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { sortRendering, helmFunctions, renderFiles, templateText } from "../../release/render/index.ts";
import { Engine } from "../../lang/template/index.ts";
import { readBundledFolder } from "../bundled-files.ts";
import { templateEnvironment } from "../chart/chart-request.ts";

/** The chart that installs Sluice, `deploy/` of the project. It is part of the package. */
function sluiceChart(): Chart {
  const files = readBundledFolder("deploy");
  if (files.length === 0)
    throw new Fault("find the chart of Sluice", "it did not come with the program: install Sluice anew", { final: true });
  return loadChart(files);
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
