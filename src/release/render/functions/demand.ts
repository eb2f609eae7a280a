import { GoError, goFunction, type FunctionTable, type Value } from "../../../lang/template/index.ts";
import { marked } from "../failure.ts";

export type DemandOptions = {
  /** A chart is only being looked over: what is missing is told here instead of ending the rendering. */
  readonly onDemand?: (message: string) => void;
};

/** `required` and `fail`: what a chart demands of its user. */
export function demandFunctions({ onDemand }: DemandOptions): FunctionTable {
  const refuse = (message: string): string => {
    if (onDemand === undefined) throw new GoError(marked(message));
    onDemand(message);
    return "";
  };
  return {
    required: goFunction("func(string, interface {}) (interface {}, error)", (message: string, value: Value) =>
      value === null || value === undefined || value === "" ? refuse(message) : value,
    ),
    fail: goFunction("func(string) (string, error)", refuse),
  };
}
