import assert from "node:assert/strict";
import { test } from "node:test";
import { fileNameOf, isAbsoluteUrl, resolveReferenceUrl, sameUrl } from "./url.ts";

// Base, reference, and where it leads: as in Helm's own tests of ResolveReferenceURL.
const resolved: readonly (readonly [string, string, string])[] = [
  ["http://localhost:8123/", "/nginx-0.2.0.tgz", "http://localhost:8123/nginx-0.2.0.tgz"],
  ["http://localhost:8123/charts/", "nginx-0.2.0.tgz", "http://localhost:8123/charts/nginx-0.2.0.tgz"],
  ["http://localhost:8123/charts/", "/nginx-0.2.0.tgz", "http://localhost:8123/nginx-0.2.0.tgz"],
  ["http://localhost:8123/charts", "nginx-0.2.0.tgz", "http://localhost:8123/charts/nginx-0.2.0.tgz"],
  ["http://localhost:8123", "https://charts.example.com/a/nginx-0.2.0.tgz", "https://charts.example.com/a/nginx-0.2.0.tgz"],
  ["http://localhost:8123/charts%2fwith%2fslash", "nginx-0.2.0.tgz", "http://localhost:8123/charts%2fwith%2fslash/nginx-0.2.0.tgz"],
  ["http://localhost:8123/charts%2fwith%2fslash", "/nginx-0.2.0.tgz", "http://localhost:8123/nginx-0.2.0.tgz"],
  ["http://localhost:8123/charts?with=query", "nginx-0.2.0.tgz", "http://localhost:8123/charts/nginx-0.2.0.tgz?with=query"],
  ["http://localhost:8123/charts?with=query", "/nginx-0.2.0.tgz", "http://localhost:8123/nginx-0.2.0.tgz?with=query"],
  // A host's secrets are not another's.
  ["http://localhost:8123/charts?token=secret", "//evil.example/nginx-0.2.0.tgz", "http://evil.example/nginx-0.2.0.tgz"],
  ["http://localhost:8123/charts?token=secret", "http://evil.example/nginx-0.2.0.tgz", "http://evil.example/nginx-0.2.0.tgz"],
];

for (const [base, reference, expected] of resolved) {
  test(`${reference} beside ${base}`, () => assert.equal(resolveReferenceUrl(base, reference), expected));
}

// As in Helm's own tests of urlutil.Equal.
const same: readonly (readonly [string, string, boolean])[] = [
  ["http://example.com", "http://example.com", true],
  ["http://example.com", "http://another.example.com", false],
  ["http://example.com/", "http://example.com", true],
  ["https://example.com", "http://example.com", false],
  ["http://example.com/foo", "http://example.com/foo/", true],
  ["http://example.com/foo//", "http://example.com/foo/", true],
  ["http://example.com/./foo/", "http://example.com/foo/", true],
  ["http://example.com/bar/../foo/", "http://example.com/foo/", true],
  ["/foo", "/foo/", true],
  ["/foo/.", "/foo/", true],
  ["%/1234", "%/1234", true],
  ["%/1234", "%/123", false],
  ["/1234", "%/1234", false],
];

for (const [one, other, expected] of same) {
  test(`${one} ${expected ? "is" : "is not"} ${other}`, () => assert.equal(sameUrl(one, other), expected));
}

test("URLs are distinguished from names", () => {
  for (const address of ["https://a.example/x.tgz", "http://127.0.0.1:80/x"]) assert.ok(isAbsoluteUrl(address), address);
  for (const name of ["repo/name", "https://a.example", "https://a.example/", "./x", "x:y"]) assert.ok(!isAbsoluteUrl(name), name);
});

test("the name of a file never leads out of a folder", () => {
  assert.equal(fileNameOf("https://a.example/x/y-1.0.0+b.tgz?token=1"), "y-1.0.0+b.tgz");
  assert.equal(fileNameOf("https://a.example/x/y%20z.tgz"), "y z.tgz");
  assert.equal(fileNameOf("https://a.example/x/..%2f..%2fetc"), "..%2f..%2fetc");
});
