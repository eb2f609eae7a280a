import { quote } from "../../lang/template/index.ts";

/** What is wrong with an IPv6 address, in the words of Go's net/netip. */
export function ipv6Problem(text: string): string | undefined {
  if (!text.includes(":")) return "missing colon";
  const [address = "", ...zone] = text.split("%");
  if (text.indexOf(".") >= 0 && text.indexOf(".") < text.indexOf(":"))
    return problem(text, "unexpected character", text.slice(text.indexOf(":")));
  if (zone.length > 0 && zone.join("%") === "") return problem(text, "zone must be a non-empty string");
  const wrong = groupsProblem(text, address);
  return wrong ?? (zone.length > 0 ? "zone id is not a part of ipv6 address" : undefined);
}

function problem(text: string, what: string, at = ""): string {
  return `ParseAddr(${quote(text)}): ${what}${at === "" ? "" : ` (at ${quote(at)})`}`;
}

/** Parses group by group. An embedded IPv4 address counts as two. */
function groupsProblem(text: string, address: string): string | undefined {
  let hasGap = address.startsWith("::");
  let rest = hasGap ? address.slice(2) : address;
  if (hasGap && rest === "") return undefined;
  let groups = 0;
  while (groups < 8) {
    const [digits = ""] = /^[\da-fA-F]*/.exec(rest) ?? [];
    if (digits.length > 4) return problem(text, "each group must have 4 or less digits", rest);
    if (digits === "") return problem(text, "each colon-separated field must have at least one digit", rest);
    if (rest[digits.length] === ".") {
      const wrong = embeddedProblem(text, rest, groups, hasGap);
      if (wrong !== undefined) return wrong;
      groups += 2;
      rest = "";
      break;
    }
    groups++;
    rest = rest.slice(digits.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) return problem(text, "unexpected character, want colon", rest);
    if (rest === ":") return problem(text, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (hasGap) return problem(text, "multiple :: in address", rest);
    hasGap = true;
    rest = rest.slice(1);
    if (rest === "") break;
  }
  if (rest !== "") return problem(text, "trailing garbage after address", rest);
  if (groups < 8) return hasGap ? undefined : problem(text, "address string too short");
  return hasGap ? problem(text, "the :: must expand to at least one field of zeros") : undefined;
}

function embeddedProblem(text: string, rest: string, groups: number, hasGap: boolean): string | undefined {
  if (!hasGap && groups !== 6) return problem(text, "embedded IPv4 address must replace the final 2 fields of the address", rest);
  if (groups > 6) return problem(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
  const odd = /[^\d.]/.exec(rest);
  const fields = (odd === null ? rest : rest.slice(0, odd.index)).split(".");
  if (fields.some((field) => /^0\d/.test(field))) return problem(text, "IPv4 field has octet with leading zero");
  if (fields.some((field) => Number(field) > 255)) return problem(text, "IPv4 field has value >255");
  if (odd !== null) return problem(text, "unexpected character", rest.slice(odd.index));
  const empty = fields.indexOf("");
  if (empty >= 0) {
    const before = fields.slice(0, empty).join(".").length;
    const isBetween = empty > 0 && empty < fields.length - 1;
    return problem(text, "IPv4 field must have at least one digit", rest.slice(isBetween ? before + 1 : before));
  }
  if (fields.length > 4) return problem(text, "IPv4 address too long");
  return fields.length < 4 ? problem(text, "IPv4 address too short") : undefined;
}
