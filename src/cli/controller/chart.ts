import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { userValues, type Chart } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { loadChartAt } from "../../release/load/index.ts";
import { arrange, helmFunctions, renderFiles, templateText } from "../../release/render/index.ts";
import { Engine } from "../../lang/template/index.ts";
import { surroundingsOfTemplates } from "../chart/order.ts";

/** `deploy/` of the project; in the bundle that this file becomes a part of, it lies beside it. */
const places = ["./deploy/", "../../../deploy/"];

/** The chart that installs Sluice, which comes with the program. */
export function ownChart(): Chart {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = folders.find((folder) => existsSync(`${folder}Chart.yaml`));
  if (found === undefined) throw new Fault(`the chart of Sluice is neither at ${folders.join(" nor at ")}`);
  return loadChartAt(found);
}

/** Which of the chart's definitions are wanted, by the names of their files. */
export type OwnManifests = {
  readonly namespace: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly definitions: (file: string) => boolean;
};

/** Everything that installs Sluice, as YAML. */
export function ownManifests({ namespace, values, definitions }: OwnManifests): string {
  const given = userValues({ files: [{ name: "the flags", text: JSON.stringify(values) }] });
  const engine = new Engine(helmFunctions(surroundingsOfTemplates()));
  const release = { name: "sluice", namespace, isUpgrade: false };
  const rendered = renderFiles(ownChart(), given, { engine, release });
  const chosen = rendered.definitions.filter(({ file }) => definitions(file));
  return templateText(arrange({ ...rendered, definitions: chosen }), { includeCrds: true });
}
