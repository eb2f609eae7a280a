/**
 * Reads a folder of Sveltos' documents as users do, each by `sluice lint` and by the API server with Sluice's CRDs (embedded, as a
 * dry run). Prints for each: accepted, or refused and by what. A document that is ignored, or whose spec the API server refuses and
 * `lint` does not, is a failure.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VirtualClock } from "../../src/core/clock/index.ts";
import { listAt, numberAt, refOf, stringAt, type KubeObject } from "../../src/core/object/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { connect, isApiFault, type Cluster } from "../../src/kube/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import { sveltosCrds } from "../../src/sveltos/api/index.ts";
import { runSluice } from "../support/command-line.ts";

/** What became of a document. */
type Outcome = {
  readonly state: "accepted" | "refused" | "ignored" | "missed by lint";
  readonly reasons: readonly string[];
};

async function main(folder: string | undefined): Promise<number> {
  if (folder === undefined) {
    process.stderr.write("usage: npm run conformance:documents -- DIR\n");
    return 2;
  }
  const cluster = await startHub();
  const names = readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .toSorted();
  const counts = new Map<string, number>();
  for (const name of names) {
    const { state, reasons } = await outcomeOf(join(folder, name), cluster);
    counts.set(state, (counts.get(state) ?? 0) + 1);
    process.stdout.write(`${[`${name}: ${state}`, ...reasons].join("\n  ")}\n`);
  }
  process.stdout.write(`${names.length} documents: ${[...counts].map(([state, count]) => `${count} ${state}`).join(", ")}\n`);
  return names.length === (counts.get("accepted") ?? 0) + (counts.get("refused") ?? 0) ? 0 : 1;
}

async function startHub(): Promise<Cluster> {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  for (const crd of sveltosCrds()) await cluster.create(crd);
  await clock.advance(1000);
  return cluster;
}

async function outcomeOf(file: string, cluster: Cluster): Promise<Outcome> {
  const { out } = await runSluice("lint", file, "--output", "json");
  const findings: unknown = JSON.parse(out);
  const reasons = listAt(findings, "problems").map((problem) => stringAt(problem, "message", ""));
  if (reasons.length > 0) return { state: "refused", reasons };
  if (numberAt(findings, "objects") === 0) return { state: "ignored", reasons: ["lint found no object in it"] };
  const refusals: string[] = [];
  for (const { object } of readManifests(readFileSync(file, "utf8"), file).manifests) refusals.push(...(await refusalOf(object, cluster)));
  const warnings = listAt(findings, "warnings").map((warning) => `warning: ${stringAt(warning, "message", "")}`);
  if (refusals.length === 0) return { state: "accepted", reasons: warnings };
  // Names and the like are checked by API servers alone.
  return { state: refusals.some((each) => /\bspec[.[]/.test(each)) ? "missed by lint" : "refused", reasons: refusals };
}

async function refusalOf(object: KubeObject, cluster: Cluster): Promise<readonly string[]> {
  const isNamespaced = (await cluster.discovery.find(refOf(object)))?.namespaced === true;
  const namespace = isNamespaced ? object.metadata.namespace || "default" : undefined;
  try {
    if (namespace !== undefined) await makeNamespace(namespace, cluster);
    const { namespace: _, ...metadata } = object.metadata;
    const placed = { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } };
    await cluster.create(placed, { dryRun: true, fieldValidation: "Strict" });
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function makeNamespace(name: string, cluster: Cluster): Promise<void> {
  try {
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  } catch (error) {
    if (!isApiFault(error) || error.reason !== "AlreadyExists") throw error;
  }
}

process.exitCode = await main(process.argv[2]);
