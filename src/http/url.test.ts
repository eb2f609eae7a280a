import assert from "node:assert/strict";
import { test } from "node:test";
import { redactedUrl, sameOrigin } from "./url.ts";

test("credentials are for one scheme, host and port", () => {
  assert.ok(sameOrigin("https://a.example/x", "https://a.example/y/z"));
  assert.ok(sameOrigin("https://a.example", "https://a.example:443/"));
  assert.ok(!sameOrigin("https://a.example", "http://a.example"));
  assert.ok(!sameOrigin("https://a.example", "https://a.example:8443"));
  assert.ok(!sameOrigin("https://a.example", "https://b.a.example"));
});

test("a password in a URL is not shown", () => {
  assert.equal(redactedUrl("https://me:secret@a.example/x"), "https://me:xxxxx@a.example/x");
  assert.equal(redactedUrl("https://a.example/x"), "https://a.example/x");
});
