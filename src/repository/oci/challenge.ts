/** The authentication challenge of a registry. */
export type Challenge =
  | { readonly scheme: "basic" }
  | { readonly scheme: "bearer"; readonly realm: string; readonly service: string; readonly scope: string };

/** Parses `WWW-Authenticate`. Of several challenges the first supported one counts, bearer before basic. */
export function readChallenge(header: string): Challenge | undefined {
  const challenges = challengesIn(header);
  const bearer = challenges.find(({ scheme, parameters }) => scheme === "bearer" && parameters.has("realm"));
  if (bearer !== undefined) {
    const text = (name: string) => bearer.parameters.get(name) ?? "";
    return { scheme: "bearer", realm: text("realm"), service: text("service"), scope: text("scope") };
  }
  return challenges.some(({ scheme }) => scheme === "basic") ? { scheme: "basic" } : undefined;
}

type Found = { readonly scheme: string; readonly parameters: Map<string, string> };

// A name followed by a value is a parameter. Otherwise it starts a challenge.
const token = "[\\w!#$%&'*+.^`|~-]+";
const piece = new RegExp(`\\s*(?:(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))|(${token})(?=\\s|,|$))\\s*,?`, "gy");

function challengesIn(header: string): readonly Found[] {
  const found: Found[] = [];
  for (const [, name, quoted, bare, scheme] of header.matchAll(piece)) {
    if (scheme !== undefined) found.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    else if (name !== undefined) found.at(-1)?.parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? bare ?? "");
  }
  return found;
}
