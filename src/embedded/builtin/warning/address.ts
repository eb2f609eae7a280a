import { bitLengthOf, isMapped, parseIpAddress, printIpAddress, type IpAddress } from "../../../lang/ip/index.ts";
import { parseCidr, parseIp } from "../validation/ip.ts";

// Models apimachinery pkg/util/validation/ip.go GetWarningsForIP and GetWarningsForCIDR

function addressOf(bytes: readonly number[]): IpAddress {
  return { family: bytes.length === 4 ? 4 : 6, bits: bytes.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n) };
}

/** What is odd about the spelling of an address. Nothing for what is none. */
export function ipWarnings(path: string, value: string): readonly string[] {
  const bytes = parseIp(value);
  if (bytes === undefined) return [];
  const strict = parseIpAddress(value);
  if (typeof strict === "string" || isMapped(strict))
    return [
      `${path}: non-standard IP address ${JSON.stringify(value)} will be considered invalid in a future Kubernetes release: use ${JSON.stringify(printIpAddress(addressOf(bytes)))}`,
    ];
  const canonical = printIpAddress(strict);
  if (strict.family === 4 || canonical === value) return [];
  return [`${path}: IPv6 address ${JSON.stringify(value)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`];
}

/** What is odd about a block of addresses. */
export function cidrWarnings(path: string, value: string): readonly string[] {
  const block = parseCidr(value);
  if (block === undefined) return [];
  const address = addressOf(block.address);
  const length = bitLengthOf(address);
  const shift = BigInt(length - block.bits);
  const network = { ...address, bits: (address.bits >> shift) << shift };
  const canonical = `${printIpAddress(network)}/${block.bits}`;
  const quoted = JSON.stringify(value);
  const single = JSON.stringify(`${printIpAddress(address)}/${length}`);
  const warnings: string[] = [];
  if (network.bits !== address.bits)
    warnings.push(`${path}: CIDR value ${quoted} is ambiguous in this context (should be ${JSON.stringify(canonical)} or ${single}?)`);
  const [spelling = "", bits = ""] = value.split("/");
  const strict = parseIpAddress(spelling);
  if (typeof strict === "string" || isMapped(strict) || /^0./.test(bits))
    warnings.push(
      `${path}: non-standard CIDR value ${quoted} will be considered invalid in a future Kubernetes release: use ${JSON.stringify(canonical)}`,
    );
  else if (warnings.length === 0 && strict.family === 6 && canonical !== value)
    warnings.push(`${path}: IPv6 CIDR value ${quoted} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`);
  return warnings;
}
