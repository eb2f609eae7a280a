import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sleep, VirtualClock, type Clock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { acquireReleaseLease, type HeldLease } from "./index.ts";

const web = { name: "web", namespace: "default" };

/** A deploy: when it starts, how long it works, and when and how long it is disconnected, if ever. In seconds. */
type Deploy = { readonly comes: number; readonly works: number; readonly cut?: number; readonly cutFor: number; readonly skew: number };

const deploy: fc.Arbitrary<Deploy> = fc.record(
  {
    comes: fc.nat(30),
    works: fc.integer({ min: 1, max: 40 }),
    cut: fc.nat(60),
    cutFor: fc.constantFrom(1, 5, 13, 40, 10_000),
    skew: fc.constantFrom(-7200, 0, 7200),
  },
  { requiredKeys: ["comes", "works", "cutFor", "skew"], noNullPrototype: true },
);

const latency = 0.3;

class Actor {
  readonly #deploy: Deploy;
  readonly #clock: Clock;
  readonly #identity: string;
  hold: HeldLease | undefined;
  outcome: "waiting" | "done" | "lost" = "waiting";

  constructor(deploy: Deploy, clock: Clock, identity: string) {
    this.#deploy = deploy;
    this.#clock = clock;
    this.#identity = identity;
  }

  async run(exchange: Exchange): Promise<void> {
    const { comes, works, skew } = this.#deploy;
    const real = this.#clock;
    const clock: Clock = { now: () => real.now() + skew * 1000, after: (ms, fire, options) => real.after(ms, fire, options) };
    const cluster = connect((request) => this.#reach(request, exchange), { clock });
    await sleep(real, comes * 1000);
    const waiting = acquireReleaseLease(cluster, web, { identity: this.#identity, signal: new AbortController().signal });
    let step = await waiting.next();
    while (!step.done) step = await waiting.next();
    this.hold = step.value;
    this.outcome = await sleep(real, works * 1000, this.hold.lost).then(
      () => "done" as const,
      () => "lost" as const,
    );
    await this.hold.release();
  }

  /** Requests are delayed; while disconnected they hang. Requests may overtake each other. */
  async #reach(request: Parameters<Exchange>[0], exchange: Exchange): ReturnType<Exchange> {
    const { comes, cut, cutFor } = this.#deploy;
    await sleep(this.#clock, latency * 1000, request.signal);
    const since = cut === undefined ? Infinity : start + (comes + cut) * 1000;
    const now = this.#clock.now();
    if (now >= since && now < since + cutFor * 1000) await sleep(this.#clock, since + cutFor * 1000 - now, request.signal);
    return exchange(request);
  }
}

const start = Date.UTC(2030, 0, 1);

test("however deploys come, go and are cut off, two never hold the lease, and everybody gets it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deploy, { minLength: 2, maxLength: 4 }), async (deploys) => {
      const clock = new VirtualClock({ start });
      const { exchange } = startEmbeddedCluster({ clock });
      const actors = deploys.map((each, index) => new Actor(each, clock, `deploy ${index}`));
      const runs = actors.map((actor) => actor.run(exchange));
      for (let second = 0; second < 600; second++) {
        const holders = actors.flatMap((actor, index) => (actor.hold?.isHeld() === true ? [index] : []));
        assert.ok(holders.length <= 1, `${holders.join(" and ")} hold it after ${second} s`);
        await clock.advance(1000);
      }
      for (const [index, { outcome }] of actors.entries()) {
        const { cut, cutFor } = deploys[index]!;
        const reachable = cut === undefined || cutFor < 10_000;
        if (reachable) assert.notEqual(outcome, "waiting", `deploy ${index} never got it`);
        if (cut === undefined || cutFor === 1) assert.equal(outcome, "done", `deploy ${index} lost it`);
      }
      void Promise.allSettled(runs); // those that are cut off for good never end
    }),
    { numRuns: 25 },
  );
});
