import { fieldInvalid, type FieldError } from "../../field-error.ts";

// Models apimachinery pkg/util/validation/ip.go and k8s.io/utils/net

/** An IP address as its four or sixteen bytes. An IPv4-mapped IPv6 address has four, as in Go. */
type IpBytes = readonly number[];
type CidrBlock = { readonly address: IpBytes; readonly bits: number };

function parseV4(value: string): IpBytes | undefined {
  const parts = value.split(".");
  const numbers = parts.map((part) => (/^[0-9]{1,}$/.test(part) ? Number(part) : Number.NaN));
  return parts.length === 4 && numbers.every((number) => number <= 255) ? numbers : undefined;
}

/** The sixteen-bit words of one side of `::`; the last may be an IPv4 address. */
function words(side: string): readonly number[] | undefined {
  if (side === "") return [];
  const parts = side.split(":");
  const result: number[] = [];
  for (const [index, part] of parts.entries()) {
    const v4 = index === parts.length - 1 && part.includes(".") ? parseV4(part) : undefined;
    if (v4) result.push((v4[0] ?? 0) * 256 + (v4[1] ?? 0), (v4[2] ?? 0) * 256 + (v4[3] ?? 0));
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) result.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return result;
}

function parseV6(value: string): IpBytes | undefined {
  const sides = value.split("::");
  const head = words(sides[0] ?? "");
  const tail = sides.length === 2 ? words(sides[1] ?? "") : [];
  if (sides.length > 2 || !head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (sides.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  const isMapped = all.slice(0, 5).every((word) => word === 0) && all[5] === 0xffff;
  const bytes = all.flatMap((word) => [word >> 8, word & 255]);
  return isMapped ? bytes.slice(12) : bytes;
}

/** Parses an address; leading zeros are accepted for compatibility. */
export function parseIp(value: string): IpBytes | undefined {
  return value.includes(":") ? parseV6(value) : parseV4(value);
}

export function parseCidr(value: string): CidrBlock | undefined {
  const slash = value.indexOf("/");
  const address = slash < 0 ? undefined : parseIp(value.slice(0, slash));
  const length = value.slice(slash + 1);
  if (!address || !/^[0-9]{1,4}$/.test(length)) return undefined;
  const bits = Number(length);
  return bits <= address.length * 8 ? { address, bits } : undefined;
}

function bitAt(address: IpBytes, index: number): number {
  return ((address[index >> 3] ?? 0) >> (7 - (index % 8))) & 1;
}

export function cidrContains(block: CidrBlock, address: IpBytes): boolean {
  if (block.address.length !== address.length) return false;
  for (let index = 0; index < block.bits; index += 1) if (bitAt(block.address, index) !== bitAt(address, index)) return false;
  return true;
}

export const isIPv6Address = (value: string): boolean => parseIp(value)?.length === 16;

/** Validates an address in a field that accepts legacy spellings; unchanged values are accepted as they are. */
export function ipAddressErrors(value: string, path: string, before: readonly string[] = []): readonly FieldError[] {
  if (before.includes(value) || parseIp(value)) return [];
  return [fieldInvalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

export function cidrErrors(value: string, path: string, before: readonly string[] = []): readonly FieldError[] {
  if (before.includes(value) || parseCidr(value)) return [];
  return [fieldInvalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}

/** Models pkg/apis/core/validation ValidateEndpointIP: an address that traffic can be sent to. */
export function endpointIpErrors(value: string, path: string): readonly FieldError[] {
  const address = parseIp(value);
  if (!address) return [fieldInvalid(path, value, "must be a valid IP address")];
  const within = (...blocks: readonly string[]): boolean => blocks.some((text) => isIn(address, text));
  return [
    ...(address.every((byte) => byte === 0) ? [fieldInvalid(path, value, `may not be unspecified (${value})`)] : []),
    ...(within("127.0.0.0/8", "::1/128") ? [fieldInvalid(path, value, "may not be in the loopback range (127.0.0.0/8, ::1/128)")] : []),
    ...(within("169.254.0.0/16", "fe80::/10")
      ? [fieldInvalid(path, value, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")]
      : []),
    ...(within("224.0.0.0/24", "ff02::/16")
      ? [fieldInvalid(path, value, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)")]
      : []),
  ];
}

function isIn(address: IpBytes, text: string): boolean {
  const block = parseCidr(text);
  return block !== undefined && cidrContains(block, address);
}
