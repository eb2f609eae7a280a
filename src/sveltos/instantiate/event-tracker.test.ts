import assert from "node:assert/strict";
import { test } from "node:test";
import type { Match } from "../evaluate/index.ts";
import { EventTracker } from "./event-tracker.ts";

const matchOf = (name: string): Match => ({ ref: { group: "", version: "v1", kind: "Service", namespace: "default", name }, message: "" });

test("a pass looks at what has changed, and again at what is not settled", () => {
  const tracker = new EventTracker({ ofMatch: ({ name }) => name, ofObject: () => undefined });
  const matches = [matchOf("a"), matchOf("b")];
  const pass = (unsettled: string) => {
    const { events } = tracker.update(matches, []);
    const outcomeOf = (key: string) => ({ references: new Map(), profiles: [], isSettled: key !== unsettled });
    tracker.record(events, outcomeOf, () => undefined);
    return [...events].join();
  };
  assert.equal(pass("b"), "a,b");
  assert.equal(pass("b"), "b");
  assert.equal(pass(""), "b");
  assert.equal(pass(""), "");
});
