import { declare, global, member, takes, type Cost, type FunctionDeclaration } from "../declaration.ts";
import { fail } from "../failure.ts";
import { sizeOf, traversal } from "../size.ts";
import { boolType, intType, opaqueType, stringType } from "../type.ts";
import { Opaque, type CelValue } from "../value.ts";
import { isInPrefix, isMapped, parseIpAddress, printIpAddress, bitLengthOf, zoned, type IpAddress } from "../../ip/index.ts";

class Ip extends Opaque {
  readonly typeName = "net.IP";
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  equals(other: Opaque): boolean {
    return other instanceof Ip && other.address.family === this.address.family && other.address.bits === this.address.bits;
  }

  toString(): string {
    return printIpAddress(this.address);
  }
}

class Cidr extends Opaque {
  readonly typeName = "net.CIDR";
  readonly address: IpAddress;
  readonly length: number;

  constructor(address: IpAddress, length: number) {
    super();
    this.address = address;
    this.length = length;
  }

  equals(other: Opaque): boolean {
    return other instanceof Cidr && other.toString() === this.toString();
  }

  toString(): string {
    return `${printIpAddress(this.address)}/${this.length}`;
  }
}

/** Parses an address that Kubernetes allows, or returns the error message. */
function readIp(text: string): Ip | string {
  const address = parseIpAddress(text);
  if (typeof address === "string") {
    if (address.endsWith(`: ${zoned}`)) return `IP address ${JSON.stringify(text)} with zone value is not allowed`;
    return `IP Address ${JSON.stringify(text)} parse error during conversion from string: ${address}`;
  }
  return isMapped(address) ? `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed` : new Ip(address);
}

function readCidr(text: string): Cidr | string {
  const twice = "network address parse error during conversion from string: network address parse error during conversion from string:";
  const wrong = (what: string): string => `${twice} netip.ParsePrefix(${JSON.stringify(text)}): ${what}`;
  const slash = text.lastIndexOf("/");
  if (slash < 0) return wrong("no '/'");
  const address = parseIpAddress(text.slice(0, slash));
  if (typeof address === "string")
    return address.endsWith(`: ${zoned}`) ? wrong("IPv6 zones cannot be present in a prefix") : wrong(address);
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(digits)) return wrong(`bad bits after slash: ${JSON.stringify(digits)}`);
  if (Number(digits) > bitLengthOf(address)) return wrong("prefix length out of range");
  if (isMapped(address))
    return `network address parse error during conversion from string: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`;
  return new Cidr(address, Number(digits));
}

function ipOf(text: string): Ip {
  const read = readIp(text);
  return typeof read === "string" ? fail(read) : read;
}

function cidrOf(text: string): Cidr {
  const read = readCidr(text);
  return typeof read === "string" ? fail(read) : read;
}

function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.length <= inner.length && isInPrefix(inner.address, outer.address, outer.length);
}

function masked({ address, length }: Cidr): Cidr {
  const shift = BigInt(bitLengthOf(address) - length);
  return new Cidr({ ...address, bits: (address.bits >> shift) << shift }, length);
}

function isLoopback({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 24n === 127n : bits === 1n;
}

function isLinkLocal({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 16n === 0xa9fen : bits >> 118n === 0x3fan;
}

function isLocalMulticast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 8n === 0xe00000n : (bits >> 112n) % 0x10n === 2n && bits >> 120n === 0xffn;
}

function isMulticast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 28n === 0xen : bits >> 120n === 0xffn;
}

/** Whether an address is a global unicast address. */
function isGlobal(address: IpAddress): boolean {
  const isBroadcast = address.family === 4 && address.bits === 0xffff_ffffn;
  return !isBroadcast && address.bits !== 0n && !isLoopback(address) && !isMulticast(address) && !isLinkLocal(address);
}

const ip = takes.opaque("net.IP", (value: CelValue): value is Ip => value instanceof Ip);
const cidr = takes.opaque("net.CIDR", (value: CelValue): value is Cidr => value instanceof Cidr);
const once: Cost = ([text]) => traversal(sizeOf(text));
/** The cost of comparing the network bytes, plus parsing when the argument is a string. Models apiserver pkg/cel/library/cost.go */
function containment(rounds: number, extra: number): Cost {
  return ([net, other]) => {
    const size = net instanceof Cidr ? Math.ceil(net.length / 8) : 1;
    const compared = traversal(2 * size) + (rounds > 2 ? traversal(size) : 0) + extra;
    return compared + (typeof other === "string" ? traversal(sizeOf(other)) : 0);
  };
}

const [ipType, cidrType] = [opaqueType("net.IP"), opaqueType("net.CIDR")];

function test(name: string, id: string, holds: (address: IpAddress) => boolean): FunctionDeclaration {
  return declare(
    name,
    member(id, [ip], boolType, ({ address }) => holds(address)),
  );
}

/** Models apiserver pkg/cel/library/ip.go and cidr.go */
export const net: readonly FunctionDeclaration[] = [
  declare(
    "ip",
    global("string_to_ip", [takes.string], ipType, ipOf, once),
    member("cidr_ip", [cidr], ipType, ({ address }) => new Ip(address)),
  ),
  declare(
    "isIP",
    global("is_ip", [takes.string], boolType, (text) => typeof readIp(text) !== "string", once),
  ),
  declare(
    "ip.isCanonical",
    global(
      "ip_is_canonical",
      [takes.string],
      boolType,
      (text) => ipOf(text).toString() === text,
      ([text]) => Math.ceil(sizeOf(text) * 0.2),
    ),
  ),
  declare(
    "family",
    member("ip_family", [ip], intType, ({ address }) => BigInt(address.family)),
  ),
  test("isUnspecified", "ip_is_unspecified", ({ bits }) => bits === 0n),
  test("isLoopback", "ip_is_loopback", isLoopback),
  test("isLinkLocalMulticast", "ip_is_link_local_multicast", isLocalMulticast),
  test("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocal),
  test("isGlobalUnicast", "ip_is_global_unicast", isGlobal),
  declare(
    "string",
    global("ip_to_string", [ip], stringType, (value) => value.toString()),
    global("cidr_to_string", [cidr], stringType, (value) => value.toString()),
  ),
  declare("cidr", global("string_to_cidr", [takes.string], cidrType, cidrOf, once)),
  declare(
    "isCIDR",
    global("is_cidr", [takes.string], boolType, (text) => typeof readCidr(text) !== "string", once),
  ),
  declare(
    "containsIP",
    member(
      "cidr_contains_ip_string",
      [cidr, takes.string],
      boolType,
      (net, text) => isInPrefix(ipOf(text).address, net.address, net.length),
      containment(2, 0),
    ),
    member(
      "cidr_contains_ip_ip",
      [cidr, ip],
      boolType,
      (net, { address }) => isInPrefix(address, net.address, net.length),
      containment(2, 0),
    ),
  ),
  declare(
    "containsCIDR",
    member("cidr_contains_cidr_string", [cidr, takes.string], boolType, (net, text) => containsCidr(net, cidrOf(text)), containment(3, 1)),
    member("cidr_contains_cidr", [cidr, cidr], boolType, containsCidr, containment(3, 1)),
  ),
  declare(
    "prefixLength",
    member("cidr_prefix_length", [cidr], intType, ({ length }) => BigInt(length)),
  ),
  declare("masked", member("cidr_masked", [cidr], cidrType, masked)),
];
