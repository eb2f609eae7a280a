import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VirtualClock } from "../src/clock/index.ts";
import { connect } from "../src/kube/index.ts";
import { keyOf } from "../src/object/index.ts";
import { apply, prepare } from "../src/release/apply/index.ts";
import { load, type Surroundings } from "../src/release/load/index.ts";
import { simulate } from "../src/sim/index.ts";

const folder = join(import.meta.dirname, "..", "examples");
const { signal } = new AbortController();
const nothing = () => Promise.reject(new Error("an example stands for itself"));
const around: Surroundings = { stdin: nothing, fetch: nothing };

for (const name of readdirSync(folder).toSorted()) {
  test(`examples/${name} becomes ready on an embedded cluster`, async () => {
    const clock = new VirtualClock();
    const { exchange, stop } = simulate({ clock });
    const warnings: string[] = [];
    const cluster = connect(exchange, { clock, warn: (warning) => warnings.push(warning) });
    const ready = new Set<string>();
    const prepared = await prepare(await load([join(folder, name)], around, { signal }), cluster, { signal });
    const deploy = async () => {
      for await (const { type, verb, ref } of apply(prepared, cluster, { signal })) {
        if (type === "finished" && verb === "await") ready.add(keyOf(ref));
      }
    };
    await clock.until(deploy());
    assert.deepEqual([...ready].toSorted(), prepared.map(({ ref }) => keyOf(ref)).toSorted());
    assert.deepEqual(warnings, []);
    stop();
  });
}
