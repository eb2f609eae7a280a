import { quote as quoteText } from "../../template/index.ts";
import { isIPv6 } from "./address.ts";
import { escapeUrl, unescapeUrl } from "./url-escape.ts";

/** The components of a URL, unescaped except for the query. */
export type Url = {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: UserInfo | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
};

type UserInfo = { readonly name: string; readonly password: string | undefined };

/** Parses a URL as Go's net/url does. Throws with Go's message. */
export function parseUrl(text: string): Url {
  const [rest, fragment = ""] = cut(text, "#");
  const parts = naming(rest, () => parseRest(rest));
  return { ...parts, fragment: naming(text, () => unescapeUrl(fragment, "fragment")) };
}

function naming<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`parse ${quoteText(text)}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function parseRest(text: string): Omit<Url, "fragment"> {
  const nothing = { scheme: "", opaque: "", user: undefined, host: "", path: "", query: "" };
  if (hasControl(text)) throw new Error("net/url: invalid control character in URL");
  if (text === "*") return { ...nothing, path: "*" };
  const [scheme, afterScheme] = schemeOf(text);
  const [hierarchy, query = ""] = cut(afterScheme, "?");
  if (!hierarchy.startsWith("/")) {
    if (scheme !== "") return { ...nothing, scheme, query, opaque: hierarchy };
    if (cut(hierarchy, "/")[0].includes(":")) throw new Error("first path segment in URL cannot contain colon");
  }
  if (!hierarchy.startsWith("//") || (scheme === "" && hierarchy.startsWith("///")))
    return { ...nothing, scheme, query, path: unescapeUrl(hierarchy, "path") };
  const slash = hierarchy.indexOf("/", 2);
  const authority = slash < 0 ? hierarchy.slice(2) : hierarchy.slice(2, slash);
  const path = slash < 0 ? "" : hierarchy.slice(slash);
  return { ...nothing, scheme, query, ...parseAuthority(scheme, authority), path: unescapeUrl(path, "path") };
}

/** Whether the text has an ASCII control character: one below space, or DEL. */
function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function schemeOf(text: string): [scheme: string, rest: string] {
  if (text.startsWith(":")) throw new Error("missing protocol scheme");
  const found = /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(text);
  return found === null ? ["", text] : [found[1]!.toLowerCase(), text.slice(found[0].length)];
}

function parseAuthority(scheme: string, authority: string): { user: UserInfo | undefined; host: string } {
  const at = authority.lastIndexOf("@");
  const host = parseHost(scheme, authority.slice(at + 1));
  return { host, user: at < 0 ? undefined : parseUser(authority.slice(0, at)) };
}

function parseUser(text: string): UserInfo {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw new Error("net/url: invalid userinfo");
  const [name, password] = cut(text, ":");
  return { name: unescapeUrl(name, "user"), password: password === undefined ? undefined : unescapeUrl(password, "user") };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf("[");
  if (open > 0) throw new Error("invalid IP-literal");
  if (open === 0) return parseLiteral(host);
  const colon = scheme === "http" || scheme === "https" ? host.indexOf(":") : host.lastIndexOf(":");
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapeUrl(host, "host");
}

/** An IPv6 address in brackets. */
function parseLiteral(host: string): string {
  const close = host.lastIndexOf("]");
  if (close < 0) throw new Error("missing ']' in host");
  checkPort(host.slice(close + 1));
  const address = host.slice(1, close);
  const zone = address.indexOf("%25");
  const plain =
    zone < 0 ? unescapeUrl(address, "host") : unescapeUrl(address.slice(0, zone), "host") + unescapeUrl(address.slice(zone), "zone");
  if (!isIPv6(plain))
    throw new Error(isIPv4(plain) ? "invalid IP-literal" : `invalid host: ParseAddr(${quoteText(plain)}): unable to parse IP`);
  return `[${plain}]${host.slice(close + 1)}`;
}

function isIPv4(text: string): boolean {
  return /^(\d{1,3}\.){3}\d{1,3}$/.test(text);
}

function checkPort(text: string): void {
  if (!isPort(text)) throw new Error(`invalid port ${quoteText(text)} after host`);
}

function isPort(text: string): boolean {
  return /^(:\d*)?$/.test(text);
}

/** The host without port and brackets. */
export function hostname({ host }: Url): string {
  const colon = host.lastIndexOf(":");
  const name = colon >= 0 && isPort(host.slice(colon)) ? host.slice(0, colon) : host;
  return name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
}

export function userText({ name, password }: UserInfo): string {
  return `${escapeUrl(name, "user")}${password === undefined ? "" : `:${escapeUrl(password, "user")}`}`;
}

/** Formats a URL. */
export function urlText(url: Url): string {
  const { scheme, opaque, query, fragment } = url;
  const before = scheme === "" ? "" : `${scheme}:`;
  const after = `${query === "" ? "" : `?${query}`}${fragment === "" ? "" : `#${escapeUrl(fragment, "fragment")}`}`;
  return before + (opaque === "" ? hierarchyText(url) : opaque) + after;
}

function hierarchyText({ scheme, host, path, user }: Url): string {
  const slashes = (scheme !== "" || host !== "" || user !== undefined) && (host !== "" || path !== "" || user !== undefined);
  const authority = slashes ? `//${user === undefined ? "" : `${userText(user)}@`}${escapeUrl(host, "host")}` : "";
  const escaped = path === "*" ? "*" : escapeUrl(path, "path");
  if (escaped !== "" && !escaped.startsWith("/") && host !== "") return `${authority}/${escaped}`;
  // Otherwise the first segment would be parsed as a scheme.
  const ambiguous = scheme === "" && authority === "" && cut(escaped, "/")[0].includes(":");
  return `${authority}${ambiguous ? "./" : ""}${escaped}`;
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
