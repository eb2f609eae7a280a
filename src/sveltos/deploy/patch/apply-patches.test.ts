import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../../core/clock/index.ts";
import { BadInput, Fault } from "../../../core/fault/index.ts";
import { startEmbeddedCluster } from "../../../embedded/index.ts";
import { connect } from "../../../kube/index.ts";
import { readManifests } from "../../../lang/yaml/index.ts";
import { intendedDifferences } from "../../../../test/support/patch/intended-differences.ts";
import type { PatchAnswer, PatchCase } from "../../../../test/support/patch/patch-case.ts";
import { patchCases } from "../../../../test/support/patch/patch-cases.ts";
import { recordedAnswers } from "../../../../test/support/patch/recorded-answers.ts";
import { applyPatches } from "./apply-patches.ts";
import { patchFactsOf } from "./patch-facts.ts";
import { preparePatches } from "./prepare-patches.ts";

const clock = new VirtualClock();
const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
const recorded = recordedAnswers();

async function answerFor({ objects, patches }: PatchCase): Promise<PatchAnswer> {
  const { manifests } = readManifests(objects, "objects.yaml");
  try {
    const prepared = preparePatches(patches);
    const signal = new AbortController().signal;
    const patched = await applyPatches(
      manifests.map(({ object }) => object),
      prepared,
      patchFactsOf(cluster, { signal }),
    );
    return { objects: patched.filter((object) => object !== undefined) };
  } catch (error) {
    if (error instanceof Fault || error instanceof BadInput) return { refused: error.message };
    throw error;
  }
}

for (const each of patchCases) {
  test(each.what, async () => {
    const [ours, theirs] = [await answerFor(each), recorded.get(each.what)];
    assert.ok(theirs !== undefined, "not recorded: npm run conformance:patches -- --record");
    const difference = intendedDifferences[each.what];
    if (difference === undefined) {
      if ("refused" in ours && "refused" in theirs) return;
      assert.deepEqual(ours, theirs);
    } else if ("refused" in difference) {
      assert.match("refused" in ours ? ours.refused : JSON.stringify(ours), difference.refused);
    } else {
      assert.deepEqual("refused" in ours ? ours : difference.part(ours.objects[0]), difference.is);
      assert.notDeepEqual(ours, theirs, "no difference any more");
    }
  });
}

test("every answer and every difference is of a case", () => {
  const names = new Set(patchCases.map(({ what }) => what));
  assert.equal(names.size, patchCases.length);
  assert.deepEqual(
    [...recorded.keys(), ...Object.keys(intendedDifferences)].filter((what) => !names.has(what)),
    [],
  );
});
