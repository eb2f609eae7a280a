import { declare, global, member, takes, type FunctionDeclaration } from "../declaration.ts";
import { fail } from "../failure.ts";
import { sizeOf, traversal } from "../size.ts";
import { boolType, listType, mapType, opaqueType, stringType } from "../type.ts";
import { Entries, Items, Opaque, type CelValue } from "../value.ts";
import { parseQuery, parseRequestUri, type UrlParts } from "./url-parser.ts";

class Url extends Opaque {
  readonly typeName = "kubernetes.URL";
  readonly text: string;
  readonly parts: UrlParts;

  constructor(text: string, parts: UrlParts) {
    super();
    this.text = text;
    this.parts = parts;
  }

  equals(other: Opaque): boolean {
    return other instanceof Url && other.text === this.text;
  }

  toString(): string {
    return this.text;
  }
}

function urlOf(text: string): Url {
  const parts = parseRequestUri(text);
  return typeof parts === "string" ? fail(`URL parse error during conversion from string: ${parts}`) : new Url(text, parts);
}

/** The host without port and IPv6 brackets. */
function hostname(host: string): string {
  const bracket = host.indexOf("]");
  if (host.startsWith("[") && bracket >= 0) return host.slice(1, bracket);
  return host.split(":", 1)[0] ?? "";
}

function portOf(host: string): string {
  return /:(\d*)$/.exec(host.slice(host.lastIndexOf("]") + 1))?.[1] ?? "";
}

function queryOf(query: string): Entries {
  const map = new Entries();
  for (const [name, values] of parseQuery(query)) map.put(name, new Items(values));
  return map;
}

const url = takes.opaque("kubernetes.URL", (value: CelValue): value is Url => value instanceof Url);

/** Models apiserver pkg/cel/library/urls.go */
export const urls: readonly FunctionDeclaration[] = [
  declare(
    "url",
    global("string_to_url", [takes.string], opaqueType("kubernetes.URL"), urlOf, ([text]) => traversal(sizeOf(text))),
  ),
  declare(
    "isURL",
    global("is_url_string", [takes.string], boolType, (text) => typeof parseRequestUri(text) !== "string"),
  ),
  declare(
    "getScheme",
    member("url_get_scheme", [url], stringType, ({ parts }) => parts.scheme),
  ),
  declare(
    "getHost",
    member("url_get_host", [url], stringType, ({ parts }) => parts.host),
  ),
  declare(
    "getHostname",
    member("url_get_hostname", [url], stringType, ({ parts }) => hostname(parts.host)),
  ),
  declare(
    "getPort",
    member("url_get_port", [url], stringType, ({ parts }) => portOf(parts.host)),
  ),
  declare(
    "getEscapedPath",
    member("url_get_escaped_path", [url], stringType, ({ parts }) => parts.path),
  ),
  declare(
    "getQuery",
    member("url_get_query", [url], mapType(stringType, listType(stringType)), ({ parts }) => queryOf(parts.query)),
  ),
];
