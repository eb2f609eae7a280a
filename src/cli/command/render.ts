import { Fault, lineFor } from "../../core/fault/index.ts";
import {
  sortRendering,
  defaultCapabilities,
  helmFunctions,
  objectionToInstall,
  applyPostRender,
  renderFiles,
  resolveSchemas,
  templateFiles,
  templateText,
  type Capabilities,
} from "../../release/render/index.ts";
import { Engine } from "../../lang/template/index.ts";
import { chartRequestOf } from "../chart/chart-request.ts";
import { writeTemplateFiles } from "../chart/write-template-files.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { endedBySignals } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import type { RenderCommandFlags } from "../command-group/render.ts";

/** Compiling a template pays only when one rendering executes it this often. */
const compileAfter = 1000;

/** Prints the manifests of a chart, as `helm template` does. Needs no cluster. */
export async function render(source: string, options: RenderCommandFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { includeCrds, hooks, showOnly, isUpgrade, outputDir } = options;
  const capabilities = capabilitiesFrom(options);
  const chartRequest = await chartRequestOf(source, options, "reset", terminal, signal);
  const objection = objectionToInstall(chartRequest.chart);
  if (objection !== undefined) throw new Fault(objection, undefined, { final: true });
  const release = { name: options.release, namespace: options.namespace ?? "default", isUpgrade };
  const engine = new Engine(helmFunctions(chartRequest.environment), { compileAfter });
  const rendered = await resolveSchemas(chartRequest.loadSchema, (schemas) =>
    endedBySignals(() =>
      renderFiles(chartRequest.chart, chartRequest.values, { ...chartRequest, ...schemas, engine, release, capabilities }),
    ),
  );
  const files = chartRequest.postRender === undefined ? rendered.files : await applyPostRender(rendered.files, chartRequest.postRender);
  const rendering = sortRendering({ ...rendered, files }, chartRequest.helm);
  for (const problem of rendering.leftOut) chartRequest.warn(lineFor(problem));
  const chosen = { includeCrds, hooks, tests: !options.skipTests, showOnly };
  if (outputDir !== undefined) await writeTemplateFiles(outputDir, templateFiles(rendering, chosen), terminal.out);
  else print(templateText(rendering, chosen), terminal);
  if (options.notes && rendering.notes.trim() !== "") terminal.err(`NOTES:\n${rendering.notes.trim()}`);
  return exitCodes.ok;
}

const pieceLength = 2 ** 16;

/** Prints a text in pieces. One large write would hold several copies of it in memory. */
function print(text: string, terminal: Terminal): void {
  let from = 0;
  for (let end = text.indexOf("\n", pieceLength); end >= 0 && end < text.length - 1; end = text.indexOf("\n", from + pieceLength)) {
    terminal.out(text.slice(from, end));
    from = end + 1;
  }
  // The terminal ends the last line.
  terminal.out(text.slice(from, -1));
}

function capabilitiesFrom({ kubeVersion, apiVersions }: RenderCommandFlags): Capabilities {
  if (kubeVersion !== undefined && !/^v?\d+\.\d+/.test(kubeVersion))
    throw new UsageFault(`invalid kube version '${kubeVersion}'`, `could not parse "${kubeVersion}" as version`);
  return {
    ...defaultCapabilities,
    ...(kubeVersion === undefined ? {} : { kubeVersion: kubeVersion.startsWith("v") ? kubeVersion : `v${kubeVersion}` }),
    apiVersions: [...defaultCapabilities.apiVersions, ...apiVersions.flatMap((each) => each.split(","))],
  };
}
