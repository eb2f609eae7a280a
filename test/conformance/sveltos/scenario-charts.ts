import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ChartSource } from "../../../src/sveltos/deploy/index.ts";
import { loadChart, fileText, type ChartFile } from "../../../src/chart/index.ts";
import { Fault } from "../../../src/core/fault/index.ts";
import { listAt, stringAt } from "../../../src/core/object/index.ts";
import { readChartFolder } from "../../../src/release/load/index.ts";
import { readYaml, writeYaml } from "../../../src/lang/yaml/index.ts";
import type { RecordedScenario } from "./recorded-scenario.ts";

/**
 * The charts in a scenario's folder, which replace the recorded repository. The folder has one version of a chart; others
 * differ in their version, and in the appVersion that the record has.
 */
export function scenarioCharts(scenario: RecordedScenario): ChartSource {
  const charts = readdirSync(scenario.folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(scenario.folder, entry.name, "Chart.yaml")))
    .map(({ name }) => readChartFolder(join(scenario.folder, name)));
  const appVersions = appVersionsIn(scenario);
  return async ({ chartName, chartVersion }) => {
    const name = chartName.slice(chartName.lastIndexOf("/") + 1);
    const files = charts.find((each) => stringAt(metadataIn(each), "name") === name);
    if (files === undefined) throw new Fault(`load chart ${name} ${chartVersion}`, "the scenario has no such chart");
    const chart = loadChart(
      files.map((file) => (file.name === "Chart.yaml" ? released(file, chartVersion, appVersions.get(chartVersion)) : file)),
    );
    return { chart };
  };
}

function released(file: ChartFile, version: string, appVersion: string | undefined): ChartFile {
  const metadata = { ...fields(readYaml(fileText(file.data), file.name)), version, ...(appVersion !== undefined && { appVersion }) };
  return { ...file, data: Buffer.from(writeYaml(metadata)) };
}

function metadataIn(files: readonly ChartFile[]): unknown {
  const file = files.find(({ name }) => name === "Chart.yaml");
  return file === undefined ? {} : readYaml(fileText(file.data), file.name);
}

function fields(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** The appVersions of the charts in the recorded ClusterConfigurations. */
function appVersionsIn({ steps }: RecordedScenario): ReadonlyMap<string, string> {
  const configurations = steps.flatMap(({ after }) => after?.["management"] ?? []).filter(({ kind }) => kind === "ClusterConfiguration");
  const profiles = configurations.flatMap((object) => [
    ...listAt(object, "status.clusterProfileResources"),
    ...listAt(object, "status.profileResources"),
  ]);
  const charts = profiles.flatMap((profile) => listAt(profile, "Features")).flatMap((feature) => listAt(feature, "charts"));
  return new Map(charts.map((chart) => [stringAt(chart, "chartVersion", ""), stringAt(chart, "appVersion", "")]));
}
