/** An IP address: 4 or 16 bytes as one number. */
export type IpAddress = { readonly family: 4 | 6; readonly bits: bigint };

export function bitLengthOf({ family }: IpAddress): number {
  return family === 4 ? 32 : 128;
}

/** Parses an IP address, or returns the error message of Go's netip. */
export function parseIpAddress(text: string): IpAddress | string {
  const first = /[.:%]/.exec(text)?.[0];
  const parsed = first === "." ? parseIpv4(text) : first === ":" ? parseIpv6(text) : "unable to parse IP";
  if (first === "%") return `ParseAddr(${JSON.stringify(text)}): missing IPv6 address`;
  return typeof parsed === "string" ? `ParseAddr(${JSON.stringify(text)}): ${parsed}` : parsed;
}

function parseIpv4(text: string): IpAddress | string {
  const bytes = ipv4Bytes(text);
  return typeof bytes === "string" ? bytes : { family: 4, bits: bytes };
}

function ipv4Bytes(text: string): bigint | string {
  const strange = /[^0-9.]/.exec(text);
  if (strange !== null) return `unexpected character (at ${JSON.stringify(text.slice(strange.index))})`;
  const parts = text.split(".");
  for (const [index, part] of parts.entries()) {
    if (part === "")
      return `IPv4 field must have at least one digit (at ${JSON.stringify(text.slice(parts.slice(0, index).join(".").length + Math.min(index, 1) - (index === parts.length - 1 ? 1 : 0)))})`;
    if (part.length > 1 && part.startsWith("0")) return "IPv4 field has octet with leading zero";
    if (Number(part) > 255) return "IPv4 field has value >255";
  }
  if (parts.length < 4) return "IPv4 address too short";
  if (parts.length > 4) return "IPv4 address too long";
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): IpAddress | string {
  const percent = text.indexOf("%");
  if (percent >= 0) return percent === text.length - 1 ? "zone must be a non-empty string" : zoned;
  const halves = text.split("::");
  if (halves.length > 2) return 'multiple :: in address (at "::")';
  const [before, after] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const head = groupsOf(before ?? [], halves.length === 1);
  const tail = groupsOf(after ?? [], true);
  if (typeof head === "string") return head;
  if (typeof tail === "string") return tail;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 && missing > 0) return "address string too short";
  if (missing < (halves.length === 1 ? 0 : 1))
    return missing < 0
      ? `trailing garbage after address (at ${JSON.stringify(text.split(":").slice(8).join(":"))})`
      : "the :: must expand to at least one field of zeros";
  const groups = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return { family: 6, bits: groups.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n) };
}

/** The error of an address with a zone, which Kubernetes does not allow. */
export const zoned = "zone";

function groupsOf(parts: readonly string[], mayEndInIpv4: boolean): readonly number[] | string {
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.includes(".")) {
      const embedded = ipv4Bytes(part);
      if (typeof embedded === "string") return embedded;
      if (!mayEndInIpv4 || index !== parts.length - 1) return "embedded IPv4 address must replace the final 2 fields of the address";
      groups.push(Number(embedded >> 16n), Number(embedded & 0xffffn));
      continue;
    }
    if (part === "") return "each colon-separated field must have at least one digit";
    if (!/^[0-9a-fA-F]+$/.test(part)) return `unexpected character, want colon`;
    if (part.length > 4) return "each group must have 4 or less digits";
    groups.push(Number.parseInt(part, 16));
  }
  return groups;
}

export function printIpAddress(address: IpAddress): string {
  if (address.family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((address.bits >> shift) & 0xffn)).join(".");
  const groups = Array.from({ length: 8 }, (_, index) => Number((address.bits >> BigInt(112 - 16 * index)) & 0xffffn));
  const { start, length } = longestZeros(groups);
  return length < 2 ? printGroups(groups) : `${printGroups(groups.slice(0, start))}::${printGroups(groups.slice(start + length))}`;
}

function printGroups(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(":");
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Whether an IPv6 address is an IPv4-mapped one. */
export function isMapped({ family, bits }: IpAddress): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}

export function isInPrefix(address: IpAddress, prefix: IpAddress, length: number): boolean {
  if (address.family !== prefix.family) return false;
  const shift = BigInt(bitLengthOf(prefix) - length);
  return address.bits >> shift === prefix.bits >> shift;
}
