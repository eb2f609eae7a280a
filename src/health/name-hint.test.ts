import assert from "node:assert/strict";
import test from "node:test";
import { isAchievement, opensBusy, hintOfName, hintOfText } from "./name-hint.ts";
import { splitWords } from "./split-words.ts";

const words = {
  Ready: "ready",
  DNSReady: "dns ready",
  HTTPRouteAccepted: "http route accepted",
  CREATE_FAILED: "create failed",
  "not-ready": "not ready",
  "couldn't start": "could not start",
  v1beta2: "v 1 beta 2",
};

for (const [name, expected] of Object.entries(words)) {
  test(`${name} is ${expected}`, () => assert.equal(splitWords(name).join(" "), expected));
}

const names = {
  Ready: "good",
  NotReady: "busy",
  Failed: "bad",
  InstallFailed: "bad",
  FailedToStart: "bad",
  WaitingForReady: "busy",
  ScalingActive: "good",
  ScalingUp: "busy",
  Up: "good",
  NoErrors: "good",
  NonCompliant: "bad",
  ImportInProgress: "busy",
  OutOfSync: "busy",
  UpToDate: "good",
  NotFound: "bad",
  PartiallyReady: "busy",
  PartiallyFailed: "bad",
  Unfinished: "busy",
  Exists: "good",
  AlreadyExists: "bad",
  TimedOut: "bad",
  Paused: "idle",
  Scheduled: "busy",
  "Cluster in healthy state": "good",
  // Words do not match inside other words.
  Terror: undefined,
  Alreadyx: undefined,
  String: undefined,
  Frobnicated: undefined,
};

for (const [name, expected] of Object.entries(names)) {
  test(`the name ${name} is ${expected ?? "neutral"}`, () => assert.equal(hintOfName(name), expected));
}

const texts = {
  "all checks passed": "good",
  "waiting for the volume": "busy",
  "waiting for the volume: it failed": "bad",
  "secret default/key does not exist": "bad",
  "there are no errors": "good",
  "the sky is blue": undefined,
};

for (const [text, expected] of Object.entries(texts)) {
  test(`"${text}" is ${expected ?? "neutral"}`, () => assert.equal(hintOfText(text), expected));
}

test("a sentence starts with work, unless its first word is a noun", () => {
  const busy = ["Creating the pods", "Waiting for quorum", "Binding is done", "Scaling was refused", "All is well"].filter(opensBusy);
  assert.deepEqual(busy, ["Creating the pods", "Waiting for quorum"]);
});

test("a past participle is an achievement, unless it is bad news or a lack", () => {
  const achieved = ["Scheduled", "FullyFrobbed", "Failed", "Paused", "Unfrobbed", "Ready"].filter(isAchievement);
  assert.deepEqual(achieved, ["Scheduled", "FullyFrobbed"]);
});
