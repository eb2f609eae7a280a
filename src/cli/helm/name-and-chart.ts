import { basename } from "node:path";
import type { Clock } from "../../core/clock/index.ts";
import { sprigFunctions } from "../../lang/sprig/index.ts";
import { Engine, GoError } from "../../lang/template/index.ts";
import { templateEnvironment } from "../chart/chart-request.ts";
import { UsageFault } from "../failure.ts";

/** How a release gets its name when the command line has none. */
type NameFlags = { readonly generateName: boolean; readonly nameTemplate?: string };

type NameAndChart = { readonly name: string; readonly chart: string };

/** Reads `[NAME] CHART`. Without a name and a flag for one it is `otherwise`. Models helm pkg/action/install.go NameAndChart */
export function nameAndChart(
  first: string | undefined,
  second: string | undefined,
  { generateName, nameTemplate }: NameFlags,
  clock: Clock,
  otherwise?: string,
): NameAndChart {
  if (first === undefined) throw new UsageFault("name the chart: a folder, a .tgz, repository/name, a URL or oci://…");
  if (second !== undefined) {
    if (generateName) throw new UsageFault("cannot set --generate-name and also specify a name");
    if (nameTemplate !== undefined) throw new UsageFault("cannot set --name-template and also specify a name");
    return { name: first, chart: second };
  }
  if (nameTemplate !== undefined) return { name: nameOf(nameTemplate, clock), chart: first };
  if (otherwise !== undefined) return { name: otherwise, chart: first };
  if (!generateName) throw new UsageFault("must either provide a name or specify --generate-name");
  const [base = ""] = basename(first).split(".");
  return { name: `${base === "" ? "chart" : base}-${Math.floor(clock.now() / 1000)}`, chart: first };
}

const name = "name-template";
const maxNameCharacters = 4096;

/** Executes a name template. */
function nameOf(template: string, clock: Clock): string {
  try {
    const set = new Engine(sprigFunctions(templateEnvironment(clock))).set({ name });
    set.parse(name, template);
    return set.execute(name, undefined, { limits: { output: maxNameCharacters } });
  } catch (error) {
    if (error instanceof GoError) throw new UsageFault("--name-template", error.message);
    throw error;
  }
}
