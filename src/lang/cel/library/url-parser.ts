/** The parts of a URL that expressions can read. */
export type UrlParts = {
  readonly scheme: string;
  readonly host: string;
  /** Escaped as in a request line. */
  readonly path: string;
  readonly query: string;
};

/** Parses a request URI as Go's url.ParseRequestURI does: an absolute URI or an absolute path. Returns Go's message when it is invalid. */
export function parseRequestUri(text: string): UrlParts | string {
  const parsed = parse(text, true);
  if (typeof parsed === "string") return `parse ${JSON.stringify(text)}: ${parsed}`;
  // The API server parses twice, and only the second parse handles the fragment.
  const again = parse(text.split("#", 1)[0] ?? "", false);
  return typeof again === "string" ? `parse ${JSON.stringify(text)}: ${again}` : again;
}

function parse(text: string, viaRequest: boolean): UrlParts | string {
  if ([...text].some((character) => character < " " || character === "\u007F")) return "net/url: invalid control character in URL";
  if (text === "") return viaRequest ? "empty url" : { scheme: "", host: "", path: "", query: "" };
  if (text.startsWith(":")) return "missing protocol scheme";
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? "";
  const rest = scheme === "" ? text : text.slice(scheme.length + 1);
  const mark = rest.indexOf("?");
  const [before, query] = mark < 0 ? [rest, ""] : [rest.slice(0, mark), rest.slice(mark + 1)];
  if (!before.startsWith("/")) {
    if (scheme !== "") return { scheme: scheme.toLowerCase(), host: "", path: "", query };
    if (viaRequest) return "invalid URI for request";
    if ((before.split("/", 1)[0] ?? "").includes(":")) return "first path segment in URL cannot contain colon";
  }
  return withAuthority(scheme.toLowerCase(), before, query, viaRequest);
}

function withAuthority(scheme: string, before: string, query: string, viaRequest: boolean): UrlParts | string {
  const hasAuthority = (scheme !== "" || (!viaRequest && !before.startsWith("///"))) && before.startsWith("//");
  const slash = hasAuthority ? before.indexOf("/", 2) : 0;
  const authority = hasAuthority ? before.slice(2, slash < 0 ? undefined : slash) : "";
  const host = hostOf(authority);
  if (typeof host !== "string") return host.wrong;
  const path = slash < 0 ? "" : before.slice(slash);
  const wrong = wrongEscape(path);
  return wrong ?? { scheme, host, path: escapedPath(path), query };
}

function wrongEscape(text: string): string | undefined {
  const found = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text);
  return found === null ? undefined : `invalid URL escape ${JSON.stringify(found[0])}`;
}

function hostOf(authority: string): string | { readonly wrong: string } {
  const at = authority.lastIndexOf("@");
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return { wrong: "net/url: invalid userinfo" };
  const host = authority.slice(at + 1);
  const bracket = host.lastIndexOf("]");
  if (host.startsWith("[") && bracket < 0) return { wrong: "missing ']' in host" };
  const port = host.startsWith("[") ? host.slice(bracket + 1) : (/:.*$/.exec(host.slice(Math.max(host.lastIndexOf(":"), 0)))?.[0] ?? "");
  if (port !== "" && !/^:\d*$/.test(port)) return { wrong: `invalid port ${JSON.stringify(port)} after host` };
  const strange = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\u{10FFFF}]/u.exec(host)?.[0];
  if (strange !== undefined) return { wrong: `invalid character ${JSON.stringify(strange)} in host name` };
  const wrong = wrongEscape(host);
  return wrong === undefined ? host : { wrong };
}

const wellEscaped = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/]|%[0-9a-fA-F]{2})*$/;

function escapedPath(path: string): string {
  if (wellEscaped.test(path)) return path;
  const bytes = new TextEncoder().encode(decodePercent(path));
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** Decodes percent escapes. Invalid UTF-8 becomes replacement characters. */
function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part] of text.matchAll(/%[0-9a-fA-F]{2}|[^]/gu)) {
    if (part.length === 3 && part.startsWith("%")) bytes.push(Number.parseInt(part.slice(1), 16));
    else bytes.push(...encoder.encode(part));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Parses a query string. Invalid pairs are skipped, as in Go. */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "" || pair.includes(";") || wrongEscape(pair) !== undefined) continue;
    const mark = pair.indexOf("=");
    const [name, value] = mark < 0 ? [pair, ""] : [pair.slice(0, mark), pair.slice(mark + 1)];
    const key = decodePercent(name.replaceAll("+", " "));
    values.set(key, [...(values.get(key) ?? []), decodePercent(value.replaceAll("+", " "))]);
  }
  return values;
}
