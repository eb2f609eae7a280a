import type { FunctionTable } from "../../template/index.ts";
import type { Environment } from "../environment.ts";
import { cryptoFunctions } from "./crypto.ts";
import { dateFunctions } from "./date.ts";
import { defaultFunctions } from "./default.ts";
import { dictFunctions } from "./dict.ts";
import { encodingFunctions } from "./encoding.ts";
import { sprigJsonFunctions } from "./json.ts";
import { listFunctions } from "./list.ts";
import { numberFunctions } from "./number.ts";
import { pathFunctions } from "./path.ts";
import { randomFunctions } from "./random.ts";
import { regexFunctions } from "./regex.ts";
import { semverFunctions } from "./semver.ts";
import { splitFunctions } from "./split.ts";
import { stringFunctions } from "./string.ts";

/** All functions, by the names that templates call. */
export function sprigFunctions(environment: Environment): FunctionTable {
  return {
    ...stringFunctions,
    ...splitFunctions,
    ...numberFunctions,
    ...listFunctions,
    ...dictFunctions,
    ...defaultFunctions,
    ...sprigJsonFunctions,
    ...pathFunctions,
    ...regexFunctions,
    ...encodingFunctions,
    ...semverFunctions,
    ...dateFunctions(environment),
    ...randomFunctions(environment),
    ...cryptoFunctions(environment),
  };
}
