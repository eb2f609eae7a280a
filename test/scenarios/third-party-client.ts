import { sleep } from "../../src/core/clock/index.ts";
import { BadInput } from "../../src/core/fault/index.ts";
import type { Cluster } from "../../src/kube/index.ts";
import { isKubeObject, type KubeObject } from "../../src/core/object/index.ts";
import { readManifests, writeYaml, type LocatedManifest } from "../../src/lang/yaml/index.ts";
import type { ThirdPartyClient, Manifests, Meanwhile } from "./scenario.ts";

const thirdParty = { manager: "somebody", force: true };

/** A client with another field manager. */
export function thirdPartyClientOf(cluster: Cluster, namespace: string): ThirdPartyClient {
  const apply = async (...objects: readonly KubeObject[]) => {
    for (const object of objects) {
      const filled = filledIn(object, namespace);
      await cluster.apply(filled, thirdParty);
      const { subresources } = await cluster.discovery.resolve(kindOf(filled));
      if (filled["status"] !== undefined && subresources.includes("status"))
        await cluster.apply(filled, { ...thirdParty, subresource: "status" });
    }
  };
  return { cluster, namespace, apply, pause: (ms) => sleep(cluster.clock, ms) };
}

/** Applies one object after the other, with pauses in which an operation could go on too early. */
export function applyInTurn(...objects: readonly KubeObject[]): Meanwhile["work"] {
  return async ({ apply, pause }) => {
    for (const object of objects) {
      await apply(object);
      await pause(300);
    }
  };
}

/** Makes a ConfigMap of `makeAwaitedConfigMap` ready. */
export function markFinished(name: string): Meanwhile["work"] {
  const patch = { type: "merge", patch: { data: { finished: "yes" } } } as const;
  return ({ cluster, namespace }) => cluster.patch({ group: "", version: "v1", kind: "ConfigMap", namespace, name }, patch);
}

function kindOf({ apiVersion, kind }: KubeObject): { group: string; version: string; kind: string } {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return { group, version, kind };
}

function filledIn(object: KubeObject, namespace: string): KubeObject {
  const filled: unknown = JSON.parse(JSON.stringify(object).replaceAll("$NS", namespace));
  if (!isKubeObject(filled)) throw new TypeError("no object any more");
  return filled;
}

/** The manifests of an act in the scenario's namespace. */
export function manifestsIn(source: Manifests, namespace: string): readonly LocatedManifest[] {
  const text = typeof source === "string" ? source : source.map((object) => writeYaml(object)).join("---\n");
  const { manifests, problems } = readManifests(text.replaceAll("$NS", namespace), "app.yaml");
  if (problems.length > 0) throw new BadInput(problems);
  return manifests;
}
