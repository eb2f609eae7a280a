import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { VirtualClock } from "../../src/core/clock/index.ts";
import { titleOf, type KubeObject } from "../../src/core/object/index.ts";
import { startEmbeddedCluster, type Behaviour } from "../../src/embedded/index.ts";
import { connect, type Cluster } from "../../src/kube/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import type { DeployRequest } from "../../src/release/deploy/index.ts";
import { deploy } from "../../src/release/deploy/index.ts";
import {
  endOf,
  readForRehearsal,
  rehearse,
  type RehearsalInput,
  type RehearsedRun,
  type WhatIf,
} from "../../src/release/rehearse/index.ts";

const { signal } = new AbortController();

/** A live cluster in virtual time, whose requests are listed, and rehearsals of deploys to it. */
export class RehearsalFixture {
  readonly clock = new VirtualClock();
  readonly cluster: Cluster;
  /** Every request so far: `GET /api/v1/pods`. */
  readonly requests: string[] = [];

  constructor(t: TestContext, nodes = 1, behaviour?: Behaviour) {
    const { exchange, stop } = startEmbeddedCluster({ clock: this.clock, nodes, ...(behaviour === undefined ? {} : { behaviour }) });
    t.after(stop);
    this.cluster = connect(
      (request) => {
        this.requests.push(`${request.method} ${request.path}`);
        return exchange(request);
      },
      { clock: this.clock },
    );
  }

  async create(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await this.clock.until(this.cluster.create(object));
    await this.clock.settle({ withinMs: 60_000 });
  }

  async deploy(yaml: string, { autoRollback = false, ends = "deployed" } = {}): Promise<void> {
    const recording = { onWarning: assert.fail };
    const run = async () => {
      for await (const event of deploy(requestOf(yaml), this.cluster, { ...options, identity: "me", recording, autoRollback }))
        if (event.type === "done") assert.equal(event.status, ends, event.because);
    };
    await this.clock.until(run());
  }

  read(yaml: string, as: Cluster = this.cluster): Promise<RehearsalInput> {
    return this.clock.until(readForRehearsal(requestOf(yaml), as, { signal }));
  }

  async rehearse(yaml: string, whatIf?: Partial<WhatIf>): Promise<RehearsedRun> {
    const { snapshot } = await this.read(yaml);
    return rehearse(requestOf(yaml), snapshot, {
      namespace: "default",
      deploy: options,
      ...(whatIf === undefined ? {} : { whatIf: { fail: [], slow: [], nodesDown: [], apiErrors: 0, ...whatIf } }),
    });
  }
}

export const options = { signal, timeoutMs: 600_000 };

export function requestOf(yaml: string): DeployRequest {
  const { manifests, problems } = readManifests(yaml, "app.yaml");
  assert.deepEqual(problems, []);
  return { release: { name: "app", namespace: "default" }, manifests };
}

/** `failed: deployment/web: …`, or what was refused. */
export function endText(run: RehearsedRun): string {
  const end = endOf(run);
  if (end === undefined) return `refused: ${run.refusal instanceof Error ? run.refusal.message : ""}`;
  return end.because === undefined ? end.status : `${end.status}: ${end.because}`;
}

export function titles(refs: readonly { readonly kind: string; readonly name: string }[]): readonly string[] {
  return refs.map(titleOf);
}
