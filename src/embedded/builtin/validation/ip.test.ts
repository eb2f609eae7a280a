import assert from "node:assert/strict";
import { test } from "node:test";
import { cidrContains, endpointIpErrors, parseIp, parseCidr } from "./ip.ts";

const addresses: readonly (readonly [string, string | undefined])[] = [
  ["10.9.8.7", "10.9.8.7"],
  ["010.002.003.004", "10.2.3.4"],
  ["256.0.0.1", undefined],
  ["1.2.3", undefined],
  ["", undefined],
  ["::1", "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1"],
  ["2001:db8::ffff", "32.1.13.184.0.0.0.0.0.0.0.0.0.0.255.255"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["1:2:3:4:5:6:7", undefined],
  ["1::2::3", undefined],
  ["12345::", undefined],
];

for (const [text, bytes] of addresses) {
  test(`${JSON.stringify(text)} spells ${bytes ?? "no address"}`, () => assert.equal(parseIp(text)?.join("."), bytes));
}

const memberships: readonly (readonly [string, string, boolean])[] = [
  ["10.0.0.0/8", "10.255.0.1", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["0.0.0.0/0", "8.8.8.8", true],
  ["fe80::/10", "febf::1", true],
  ["fe80::/10", "10.0.0.1", false],
];

for (const [range, address, expected] of memberships) {
  test(`${range} ${expected ? "holds" : "does not hold"} ${address}`, () => {
    const [block, bytes] = [parseCidr(range), parseIp(address)];
    assert.ok(block && bytes);
    assert.equal(cidrContains(block, bytes), expected);
  });
}

for (const range of ["10.0.0.0", "10.0.0.0/33", "x/8", "10.0.0.0/", "fe80::/129"]) {
  test(`${range} is no range`, () => assert.equal(parseCidr(range), undefined));
}

const unreachable: readonly (readonly [string, string])[] = [
  ["0.0.0.0", "may not be unspecified (0.0.0.0)"],
  ["127.1.2.3", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  ["fe80::1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  ["224.0.0.9", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
];

for (const [address, detail] of unreachable) {
  test(`${address} is no endpoint`, () => {
    assert.deepEqual(
      endpointIpErrors(address, "ip").map(({ message }) => message),
      [`Invalid value: "${address}": ${detail}`],
    );
  });
}
