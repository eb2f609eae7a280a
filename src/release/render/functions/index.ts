import type { FunctionTable } from "../../../lang/template/index.ts";
import { sprigFunctions, type Surroundings } from "../../../lang/sprig/index.ts";
import { demandFunctions, type DemandOptions } from "./demand.ts";
import { includeFunctions } from "./include.ts";
import { jsonFunctions } from "./json.ts";
import { lookupFunctions, type Lookup } from "./lookup.ts";
import { tomlFunctions } from "./toml.ts";
import { yamlFunctions } from "./yaml.ts";

export type HelmOptions = DemandOptions & {
  /** What `lookup` asks; where there is no cluster it finds nothing. */
  readonly lookup?: Lookup;
};

/** The functions of Helm's templates: Sprig's, and Helm's own in addition or in their place. */
export function helmFunctions(surroundings: Surroundings, options: HelmOptions = {}): FunctionTable {
  return {
    ...sprigFunctions(surroundings),
    ...yamlFunctions,
    ...jsonFunctions,
    ...tomlFunctions,
    ...includeFunctions,
    ...demandFunctions(options),
    ...lookupFunctions(options.lookup),
  };
}
