import assert from "node:assert/strict";
import { after, test } from "node:test";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { fieldsAt } from "../../src/core/object/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { openCluster } from "../../src/kube/index.ts";
import { readBody } from "../conformance/conformance-target.ts";
import { comparisonOf, reportOf, shrunk, type SequenceServer } from "../sequences/compare-sequence.ts";
import { prepareStage } from "../sequences/play-sequence.ts";
import { randomSequence } from "../sequences/random-sequence.ts";
import { environmentVariables } from "./run-end-to-end.ts";

/** SEED and RUNS say which sequences are played and how many. The defaults are a fixed sample. */
const firstSeed = Number(process.env["SEED"] ?? 1);
const runs = Number(process.env["RUNS"] ?? 60);
const length = 30;

const clock = new RealClock();
const kubeconfig = process.env[environmentVariables.kubeconfig];
const opened = await openCluster(kubeconfig === undefined ? {} : { kubeconfig });
// Both have the same authority, which every namespace shows.
const { body } = await opened.exchange({
  method: "GET",
  path: "/api/v1/namespaces/default/configmaps/kube-root-ca.crt",
  headers: { accept: "application/json" },
  signal: AbortSignal.timeout(60_000),
});
const shown = fieldsAt(await readBody(body), "data");
const embedded = startEmbeddedCluster({ clock, random: Math.random, authority: { certificate: String(shown["ca.crt"]), key: "" } });
after(() => {
  opened.close();
  embedded.stop();
});

/** Every sequence has a namespace of its own; all share the group, since a CRD takes a second to be served. */
async function serverOf(exchange: Exchange): Promise<SequenceServer> {
  const run = `${process.pid.toString(36)}${Date.now().toString(36)}`;
  const group = `seq-${run}.example.com`;
  await prepareStage(exchange, { namespace: `seq-${run}`, group }, () => sleep(clock, 100));
  let stages = 0;
  return {
    exchange,
    newStage: async () => {
      const namespace = `seq-${run}-${++stages}`;
      await prepareStage(exchange, { namespace, group }, () => sleep(clock, 20));
      return { namespace, group };
    },
  };
}

test(`${runs} random sequences of requests are answered as by the real server`, async () => {
  const compare = comparisonOf(await serverOf(opened.exchange), await serverOf(embedded.exchange));
  const reports: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + runs && reports.length < 5; seed++) {
    const found = await shrunk(randomSequence(seed, length), compare);
    if (found !== undefined) reports.push(`SEED=${seed} RUNS=1\n${reportOf(found.sequence, found.disagreement)}`);
  }
  assert.equal(reports.join("\n\n"), "");
});
