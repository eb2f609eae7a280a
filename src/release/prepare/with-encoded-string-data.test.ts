import assert from "node:assert/strict";
import { test } from "node:test";
import { withEncodedStringData } from "./with-encoded-string-data.ts";

test("stringData of a Secret is in data, over what is there; what the server refuses stays as it is", () => {
  const cases: [object, object][] = [
    [{ stringData: { a: "1" } }, { data: { a: "MQ==" } }],
    [{ stringData: { a: "1", c: "ä" }, data: { a: "MA==", b: "Mg==" } }, { data: { a: "MQ==", b: "Mg==", c: "w6Q=" } }],
    [{ stringData: { a: "" }, data: null }, { data: { a: "" } }],
    [{ stringData: {}, type: "Opaque" }, { type: "Opaque" }],
    [{ stringData: { a: 1 } }, { stringData: { a: 1 } }],
    [{ stringData: { a: null } }, { stringData: { a: null } }],
    [
      { stringData: { a: "1" }, data: "no" },
      { stringData: { a: "1" }, data: "no" },
    ],
  ];
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
  for (const [before, after] of cases) assert.deepEqual(withEncodedStringData({ ...secret, ...before }), { ...secret, ...after });
  const other = { apiVersion: "example.com/v1", kind: "Secret", metadata: { name: "s" }, stringData: { a: "1" } };
  assert.equal(withEncodedStringData(other), other);
});
