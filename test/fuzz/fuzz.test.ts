import assert from "node:assert/strict";
import { test } from "node:test";
import { crashOf } from "./fuzz-target.ts";
import { randomInput, shrunk } from "./random-input.ts";
import { targets } from "./targets.ts";

const inputsOfEach = 25;

test("no parser or engine crashes on a fixed sample of random inputs; npm run fuzz tries others", async () => {
  for (const [name, target] of Object.entries(targets))
    for (let seed = 0; seed < inputsOfEach; seed++) {
      const input = randomInput(target, seed);
      assert.equal(await crashOf(target, input), undefined, `${name}, seed ${seed}: ${JSON.stringify(input)}`);
    }
});

test("an input is the same for the same seed, and is made as small as it can be", async () => {
  const { yaml } = targets;
  assert.equal(randomInput(yaml!, 7), randomInput(yaml!, 7));
  assert.equal(await shrunk("aaaaXbbbbYcccc", async (text) => /X.*Y/.test(text), 1000), "XY");
});

test("what a real API server refuses with 500 is no crash", async () => {
  const path = "PATCH /api/v1/namespaces/e?fieldManager=x application/apply-patch+yaml";
  assert.equal(await crashOf(targets["http"]!, `${path}\napiVersion: v1\nkind: Namespace\na: n`), undefined);
});
