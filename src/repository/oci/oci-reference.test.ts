import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReference, referenceText } from "./oci-reference.ts";

const digest = "sha256:c6841b3a895f1444a6738b5d04564a57e860ce42f8519c3be807fb6d9bee7888";

// Registry, repository, tag, digest; partly as in Helm's own tests of newReference.
const parsed: Readonly<Record<string, readonly [string, string, string, string]>> = {
  [`registry.example.com/repository:1.0@${digest}`]: ["registry.example.com", "repository", "1.0", digest],
  [`oci://registry.example.com/repository:1.0@${digest}`]: ["registry.example.com", "repository", "1.0", digest],
  [`registry.example.com/the/repository@${digest}`]: ["registry.example.com", "the/repository", "", digest],
  "registry.example.com/repository:1.0+001": ["registry.example.com", "repository", "1.0_001", ""],
  "oci://127.0.0.1:5000/charts/web": ["127.0.0.1:5000", "charts/web", "", ""],
  "oci://[::1]:5000/web:1.0.0": ["[::1]:5000", "web", "1.0.0", ""],
};

for (const [text, [registry, repository, tag, expected]] of Object.entries(parsed)) {
  test(`${text} is understood`, () => {
    assert.deepEqual(parseReference(text), { registry, repository, tag, digest: expected });
    assert.deepEqual(parseReference(referenceText(parseReference(text))), parseReference(text));
  });
}

const refused = [
  "thing:1.0",
  "oci://",
  "oci://host",
  "oci:///web",
  "oci://host/UPPER",
  "oci://host/../x",
  "oci://host/a//b",
  "oci://user@host/web",
  "oci://host/web@sha256:ab",
  "oci://host/web@",
  "oci://host/web:a b",
  "oci://host/web?x=1",
  "oci://ho st/web",
];

for (const text of refused) {
  test(`${text} is refused`, () => assert.throws(() => parseReference(text), { name: "Fault", message: /^invalid reference/ }));
}
