import { dict, goFunction, reflectKindOf, type FunctionTable, type GoMap, type GoValue } from "../../template/index.ts";
import { asGoError, panic, nilPointer } from "../panic.ts";
import { baseOf, cleanPath, dirOf, extensionOf } from "../text/path.ts";
import { hostname, parseUrl, urlText, userText, type Url } from "../text/url.ts";

const isAbsolute = (path: string) => path.startsWith("/");

/** Paths and URLs. OS paths are those of Linux. */
export const pathFunctions: FunctionTable = {
  base: goFunction("func(string) string", baseOf),
  dir: goFunction("func(string) string", dirOf),
  clean: goFunction("func(string) string", cleanPath),
  ext: goFunction("func(string) string", extensionOf),
  isAbs: goFunction("func(string) bool", isAbsolute),
  osBase: goFunction("func(string) string", baseOf),
  osDir: goFunction("func(string) string", dirOf),
  osClean: goFunction("func(string) string", cleanPath),
  osExt: goFunction("func(string) string", extensionOf),
  osIsAbs: goFunction("func(string) bool", isAbsolute),
  urlParse: goFunction("func(string) map[string]interface {}", urlParse),
  urlJoin: goFunction("func(map[string]interface {}) string", urlJoin),
};

function urlParse(text: string): GoMap {
  const url = prefixed("unable to parse url", () => parseUrl(text));
  return dict({
    scheme: url.scheme,
    host: url.host,
    hostname: hostname(url),
    path: url.path,
    query: url.query,
    opaque: url.opaque,
    fragment: url.fragment,
    userinfo: url.user === undefined ? "" : userText(url.user),
  });
}

function urlJoin(parts: GoMap): string {
  const url = {
    scheme: textAt(parts, "scheme"),
    host: textAt(parts, "host"),
    path: textAt(parts, "path"),
    query: textAt(parts, "query"),
    opaque: textAt(parts, "opaque"),
    fragment: textAt(parts, "fragment"),
  };
  return urlText({ ...url, user: userIn(textAt(parts, "userinfo")) });
}

function userIn(text: string): Url["user"] {
  return text === "" ? undefined : prefixed("unable to parse userinfo in dict", () => parseUrl(`proto://${text}@host`).user);
}

function textAt(parts: GoMap, key: string): string {
  const value: GoValue = parts.get(key);
  if (value === undefined) return "";
  if (value === null) return panic(nilPointer);
  return typeof value === "string" ? value : panic(`unable to parse ${key} key, must be of type string, but ${reflectKindOf(value)} found`);
}

function prefixed<T>(what: string, work: () => T): T {
  return asGoError(() => {
    try {
      return work();
    } catch (cause) {
      throw new Error(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  });
}
