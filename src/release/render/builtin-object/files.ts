import {
  GoMap,
  GoError,
  ReflectType,
  fromBytes,
  goMethod,
  reflectType,
  stringList,
  types,
  type GoFunction,
} from "../../../lang/template/index.ts";
import { baseOf } from "../../../lang/sprig/index.ts";
import { yamlText } from "../yaml/write.ts";
import { globPattern } from "./glob.ts";

const shape = reflectType("map[string][]uint8");

// The methods refer to the type itself, so they are added afterwards.
const methods = new Map<string, GoFunction>();
const filesType = new ReflectType("engine.files", "map", shape, { underlying: shape, methods });
const scope = { "engine.files": filesType };

methods.set(
  "Get",
  goMethod("func(string) string", (files: GoMap, name: string) => fromBytes(bytesOf(files, name))),
);
methods.set("GetBytes", goMethod("func(string) []uint8", bytesOf));
methods.set(
  "Lines",
  goMethod("func(string) []string", (files: GoMap, name: string) => stringList(linesOf(files, name))),
);
methods.set("Glob", goMethod("func(string) engine.files", matching, scope));
methods.set(
  "AsConfig",
  goMethod("func() string", (files: GoMap) => contents(files, fromBytes)),
);
methods.set(
  "AsSecrets",
  goMethod("func() string", (files: GoMap) => contents(files, (bytes) => Buffer.from(bytes).toString("base64"))),
);

/** `.Files`: the other files of a chart. */
export function filesValue(files: Iterable<readonly [string, Uint8Array]>): GoMap {
  return new GoMap(filesType, files);
}

function bytesOf(files: GoMap, name: string): Uint8Array {
  const found = files.get(name);
  return found instanceof Uint8Array ? found : new Uint8Array();
}

function linesOf(files: GoMap, name: string): string[] {
  if (!files.has(name)) return [];
  const text = fromBytes(bytesOf(files, name));
  if (text === "") throw new GoError("runtime error: index out of range [-1]");
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function matching(files: GoMap, pattern: string): GoMap {
  const glob = globPattern(pattern);
  const found = new GoMap(filesType);
  for (const [name, bytes] of files) if (glob.matches(name)) found.set(name, bytes);
  return found;
}

/** The contents by base name. */
function contents(files: GoMap, text: (bytes: Uint8Array) => string): string {
  const map = new GoMap(types.stringMap);
  for (const name of files.sortedKeys()) map.set(baseOf(name), text(bytesOf(files, name)));
  return yamlText(map);
}
