import assert from "node:assert/strict";
import { test } from "node:test";
import { BadInput, doing, Fault, lineFor, unreachable } from "./index.ts";

test("faults say what was being done, outermost first", async () => {
  const failing = doing("install web", () => doing("read manifests", () => Promise.reject(new Error("web.yaml:3: bad indent"))));
  await assert.rejects(failing, { name: "Fault", message: "install web: read manifests: web.yaml:3: bad indent" });
});

test("doing answers what the work answers, in whichever way", async () => {
  assert.equal(await doing("count", () => 1), 1);
  assert.equal(await doing("count", () => Promise.resolve(2)), 2);
});

test("the cause is kept", async () => {
  const cause = new TypeError("x is not a function");
  const error: unknown = await doing("plan", () => Promise.reject(cause)).catch((fault: unknown) => fault);
  assert.ok(error instanceof Fault);
  assert.equal(error.cause, cause);
});

test("a fault of something that is not an Error has its text", () => {
  assert.equal(new Fault("stop", "interrupted").message, "stop: interrupted");
  assert.equal(new Fault("stop").message, "stop");
});

test("a wrapping fault inherits final, unless it sets it", () => {
  const final = new Fault("parse", undefined, { final: true });
  assert.equal(new Fault("read", final).final, true);
  assert.equal(new Fault("read", final, { final: false }).final, false);
  assert.equal(new Fault("read", new Error("reset")).final, false);
});

test("all problems are listed with their place", () => {
  assert.equal(lineFor({ at: "", message: "no input" }), "no input");
  const bad = new BadInput([
    { at: "web.yaml:3", message: "bad indent" },
    { at: "db.yaml:1", message: "kind is missing" },
  ]);
  assert.equal(bad.message, "web.yaml:3: bad indent\ndb.yaml:1: kind is missing");
  assert.equal(bad.final, true);
  assert.equal(bad.problems.length, 2);
  assert.ok(bad instanceof Fault);
});

test("unreachable names the value that reached it", () => {
  assert.throws(() => unreachable({ verb: "new" } as never), { name: "TypeError", message: 'unreachable: {"verb":"new"}' });
});
