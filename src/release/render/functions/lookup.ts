import { GoMap, dict, fromPlain, goFunction, type FunctionTable } from "../../../lang/template/index.ts";

/** Finds an object of a cluster by apiVersion, kind, namespace and name, or with an empty name a list of them; undefined where there is none. */
export type Lookup = (apiVersion: string, kind: string, namespace: string, name: string) => unknown;

/** What templates ask of the world outside. Host names are never looked up. */
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
