import type { Environment } from "../../lang/sprig/index.ts";
import { ChartRenderer } from "../../release/chart/index.ts";
import { searchIndex, verifyProvenance, type IndexSearch, type SignedChart } from "../../repository/index.ts";
import type { TaskHandlers } from "../../worker/index.ts";
import { chartTask } from "./charts/chart-task.ts";
import { valuesTask } from "./charts/chart-values.ts";
import { readContentTask, renderContentTask } from "./content-task.ts";
import { patchTask } from "./patch/patch-task.ts";

/** What a worker does for profiles. It keeps the charts that it has loaded. */
export function openTaskHandlers(environment: Environment): TaskHandlers {
  const renderer = new ChartRenderer(environment);
  return {
    content: (input) => renderContentTask(input, environment),
    manifests: (input) => readContentTask(input, environment),
    provenance: (input) => verifyProvenance(input as SignedChart, environment.now()),
    index: (input) => searchIndex(input as IndexSearch),
    values: valuesTask,
    chart: (input) => chartTask(input, renderer),
    patches: patchTask,
  };
}
