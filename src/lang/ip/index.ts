/**
 * IP addresses as Go's netip reads and prints them.
 *
 * It knows no network.
 */
export { bitLengthOf, isInPrefix, isMapped, parseIpAddress, printIpAddress, zoned, type IpAddress } from "./ip-address.ts";
