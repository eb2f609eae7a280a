import { GoError, goFunction, type FunctionTable, type GoValue } from "../../../lang/template/index.ts";
import { markFailMessage } from "../template-fault.ts";

export type RequiredOptions = {
  /** Collects the messages of `required` and `fail` instead of failing, for lint. */
  readonly onRequired?: (message: string) => void;
};

/** `required` and `fail`. */
export function requiredFunctions({ onRequired }: RequiredOptions): FunctionTable {
  const refuse = (message: string): string => {
    if (onRequired === undefined) throw new GoError(markFailMessage(message));
    onRequired(message);
    return "";
  };
  return {
    required: goFunction("func(string, interface {}) (interface {}, error)", (message: string, value: GoValue) =>
      value === null || value === undefined || value === "" ? refuse(message) : value,
    ),
    fail: goFunction("func(string) (string, error)", refuse),
  };
}
