import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { Progress, Story } from "../release/index.ts";
import { plainTracking } from "../release/plan/index.ts";
import { plain } from "../view/index.ts";
import { tellerOf } from "./teller.ts";

const ref = { group: "", version: "v1", kind: "Pod", namespace: "", name: "p" };
const waiting: Progress = { type: "waiting", verb: "await", ref, because: "no node" };
const planned: Story = {
  type: "planned",
  plan: {
    version: 1,
    operation: "install",
    kept: [],
    steps: [
      {
        id: "await",
        action: { verb: "await", ref, gates: [{ until: "ready" }], external: false, tracking: plainTracking },
        needs: [],
        stage: "main",
        rank: 0,
      },
    ],
  },
};
const ready: Progress = { type: "finished", verb: "await", ref };

/** A terminal that knows what is to be seen on it, by carrying out the two movements that are asked of it. */
function screenOf(lines = 10) {
  let seen: string[] = [""];
  const add = (text: string) => {
    const [first = "", ...more] = text.split("\n");
    seen = [...seen.slice(0, -1), (seen.at(-1) ?? "") + first, ...more];
  };
  const write = (text: string) => {
    const [first = "", ...moves] = text.split("\u001B[");
    add(first);
    for (const move of moves) {
      const [, count = "", letter = "", rest = ""] = /^(\d+)([A-Z])(.*)$/s.exec(move) ?? [];
      if (letter === "A") seen = seen.slice(0, seen.length - Number(count));
      else seen = [...seen.slice(0, -1), ""];
      add(rest);
    }
  };
  const line = (text: string) => write(`${text}\n`);
  return {
    terminal: { out: line, err: line, paint: plain, screen: { write, size: () => ({ columns: 40, lines }) } },
    seen: () => seen.filter((text) => text !== ""),
  };
}

test("on a terminal a run is one picture that changes in place, and ends as lines", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf();
  const teller = tellerOf({ output: "text", clock, cluster: "c" }, terminal);
  teller.tell(planned);
  teller.tell(waiting);
  assert.deepEqual(seen(), ["pod/p  waiting  0s  no node", "0 of 1 done"]);
  await clock.advance(5000);
  assert.deepEqual(seen(), ["pod/p  waiting  5s  no node", "0 of 1 done"]);
  teller.aside("warning: beware");
  assert.deepEqual(seen(), ["warning: beware", "pod/p  waiting  5s  no node", "0 of 1 done"]);
  teller.tell(ready);
  teller.end();
  assert.deepEqual(seen(), ["warning: beware", "ready    pod/p"]);
});

test("nothing is drawn any more after the end", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf();
  const teller = tellerOf({ output: "text", clock, cluster: "c" }, terminal);
  teller.tell(ready);
  teller.end();
  await clock.advance(60_000);
  assert.deepEqual(seen(), ["ready    pod/p"]);
});

test("-o ndjson stays JSON on a terminal too", () => {
  const { terminal, seen } = screenOf();
  const teller = tellerOf({ output: "ndjson", clock: new VirtualClock(), cluster: "c" }, terminal);
  teller.tell(waiting);
  teller.end();
  assert.deepEqual(
    seen().map((line) => (JSON.parse(line) as Progress).type),
    ["waiting"],
  );
});
