import { GoMap, dict, fromPlain, goFunction, type FunctionTable } from "../../../lang/template/index.ts";

/** Finds an object by apiVersion, kind, namespace and name, or a list when the name is empty; undefined when there is none. */
export type Lookup = (apiVersion: string, kind: string, namespace: string, name: string) => unknown;

/** `lookup` and `getHostByName`. Host names are never resolved. */
export function lookupFunctions(lookup: Lookup = () => undefined): FunctionTable {
  return {
    lookup: goFunction(
      "func(string, string, string, string) (map[string]interface {}, error)",
      (apiVersion: string, kind: string, namespace: string, name: string) => {
        const found = fromPlain(lookup(apiVersion, kind, namespace, name));
        return found instanceof GoMap ? found : dict();
      },
    ),
    getHostByName: goFunction("func(string) string", () => ""),
  };
}
