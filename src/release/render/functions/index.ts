import type { FunctionTable } from "../../../lang/template/index.ts";
import { sprigFunctions, type Environment } from "../../../lang/sprig/index.ts";
import { requiredFunctions, type RequiredOptions } from "./required.ts";
import { includeFunctions } from "./include.ts";
import { helmJsonFunctions } from "./json.ts";
import { lookupFunctions, type Lookup } from "./lookup.ts";
import { tomlFunctions } from "./toml.ts";
import { yamlFunctions } from "./yaml.ts";

type HelmFunctionOptions = RequiredOptions & {
  /** Answers `lookup`. Default: finds nothing. */
  readonly lookup?: Lookup;
};

/** The functions of Helm's templates: Sprig's, with Helm's own added or replacing them. */
export function helmFunctions(environment: Environment, options: HelmFunctionOptions = {}): FunctionTable {
  return {
    ...sprigFunctions(environment),
    ...yamlFunctions,
    ...helmJsonFunctions,
    ...tomlFunctions,
    ...includeFunctions,
    ...requiredFunctions(options),
    ...lookupFunctions(options.lookup),
  };
}
