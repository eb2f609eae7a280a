import assert from "node:assert/strict";

const [mostSeconds, mostMegabytes] = [4, 384];

/** Runs what is hostile, and fails when it took more time of the processor, or more memory, than anybody's input may. */
export function bounded<T>(work: () => T): T {
  const [time, memory] = [process.cpuUsage(), process.memoryUsage.rss()];
  try {
    return work();
  } finally {
    const { user, system } = process.cpuUsage(time);
    const [seconds, megabytes] = [(user + system) / 1e6, (process.memoryUsage.rss() - memory) / 1e6];
    assert.ok(seconds < mostSeconds, `it took ${seconds} s of the processor, and may take ${mostSeconds}`);
    assert.ok(megabytes < mostMegabytes, `it took ${megabytes} MB, and may take ${mostMegabytes}`);
  }
}
