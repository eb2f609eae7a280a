import { jsonText, deepCopy } from "../../lang/sprig/index.ts";
import { GoMap, dict, goFunction, type FunctionTable, type GoValue } from "../../lang/template/index.ts";
import { marshalYaml, readYaml } from "../../lang/yaml/index.ts";

/**
 * Sveltos' template functions on whole objects. They work on copies: one template does not see what another has set. Paths
 * are separated by dots, so keys with dots cannot be reached.
 */
export const resourceFunctions: FunctionTable = {
  getResource: goFunction("func(map[string]interface {}) map[string]interface {}", cleaned),
  copy: goFunction("func(map[string]interface {}) string", (object: GoMap) => yamlOf(cleaned(object))),
  getField: goFunction("func(map[string]interface {}, string) interface {}", (object: GoMap, path: string) => fieldOf(object, path) ?? ""),
  setField: goFunction("func(map[string]interface {}, string, interface {}) string", (object: GoMap, path: string, value: GoValue) => {
    const changed = withField(object, path, value);
    return changed === undefined ? "" : yamlOf(changed);
  }),
  removeField: goFunction("func(map[string]interface {}, string) string", (object: GoMap, path: string) =>
    yamlOf(withoutField(object, path)),
  ),
  chainSetField: goFunction(
    "func(map[string]interface {}, string, interface {}) map[string]interface {}",
    (object: GoMap, path: string, value: GoValue) => withField(object, path, value) ?? object,
  ),
  chainRemoveField: goFunction("func(map[string]interface {}, string) map[string]interface {}", withoutField),
};

/** The object without server-side metadata that another API server rejects. */
function cleaned(object: GoMap): GoMap {
  return ["managedFields", "resourceVersion", "uid"].reduce((left, field) => withoutField(left, `metadata.${field}`), object);
}

function fieldOf(object: GoMap, path: string): GoValue {
  let found: GoValue = object;
  for (const key of path.split(".")) {
    if (!(found instanceof GoMap)) return undefined;
    found = found.get(key);
  }
  return found;
}

/** Undefined if the path leads through a value that is no map. */
function withField(object: GoMap, path: string, value: GoValue): GoMap | undefined {
  const copy = copyOf(object);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let parent = copy;
  for (const key of keys) {
    const next = parent.get(key) ?? dict();
    if (!(next instanceof GoMap)) return undefined;
    parent.set(key, next);
    parent = next;
  }
  parent.set(last, value);
  return copy;
}

function withoutField(object: GoMap, path: string): GoMap {
  const copy = copyOf(object);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const parent = keys.length === 0 ? copy : fieldOf(copy, keys.join("."));
  if (parent instanceof GoMap) parent.delete(last);
  return copy;
}

function copyOf(object: GoMap): GoMap {
  const copy = deepCopy(object);
  return copy instanceof GoMap && !copy.isNil ? copy : dict();
}

/** Converts by way of JSON, so that large integers keep all digits. */
function yamlOf(value: GoValue): string {
  return marshalYaml(readYaml(jsonText(value), "object"));
}
