import type { Behaviour } from "../../src/embedded/index.ts";

const soon = { fixed: 50 };

/**
 * How the images of the suite behave, on the embedded cluster and on a real one alike. Everything is quick, since a real
 * cluster runs in real time.
 */
export const suiteBehaviour: Behaviour = {
  rules: [
    { match: { image: "example.com/missing:*" }, pull: { after: soon, fail: "not found" } },
    { match: { image: "example.com/crash:*" }, pull: { after: soon }, start: soon, fail: { exitCode: 1, at: soon } },
    { match: { image: "example.com/never-ready:*" }, pull: { after: soon }, start: soon, ready: { never: "not today" } },
    {
      match: { image: "example.com/slow:*" },
      pull: { after: soon },
      start: soon,
      ready: { after: { fixed: 2000 } },
      run: { never: "" },
      terminate: { after: soon, exitCode: 0 },
    },
    {
      match: { image: "example.com/flaky:*" },
      pull: { after: soon },
      start: soon,
      fail: { exitCode: 1, at: soon, times: 1 },
      run: { never: "" },
      terminate: { after: soon, exitCode: 0 },
    },
    { match: { image: "example.com/fail:*" }, pull: { after: soon }, start: soon, fail: { exitCode: 3, at: soon } },
    {
      match: { image: "example.com/fail-once:*" },
      pull: { after: soon },
      start: soon,
      fail: { exitCode: 3, at: soon, times: 1 },
      run: { after: soon },
      result: { exitCode: 0 },
    },
    {
      match: { image: "example.com/done:*" },
      pull: { after: soon },
      start: soon,
      init: soon,
      run: { after: soon },
      fail: { exitCode: 0, at: soon },
      result: { exitCode: 0 },
    },
    {
      match: { image: "example.com/brief:*" },
      pull: { after: soon },
      start: soon,
      run: { after: { fixed: 2000 } },
      fail: { exitCode: 0, at: { fixed: 2000 } },
      result: { exitCode: 0 },
    },
    {
      match: { image: "example.com/talks:*" },
      pull: { after: soon },
      start: soon,
      run: { never: "" },
      logs: [
        { after: 0, line: "one" },
        { after: 0, line: "two" },
        { after: 0, line: "three" },
      ],
    },
    {
      match: { image: "example.com/boots-12s:*" },
      pull: { after: soon },
      start: soon,
      ready: { after: { fixed: 12_000 } },
      run: { never: "" },
      terminate: { after: soon, exitCode: 0 },
    },
    {
      match: { image: "example.com/runs-20s:*" },
      pull: { after: soon },
      start: soon,
      run: { after: { fixed: 20_000 } },
      result: { exitCode: 0 },
    },
    { match: { image: "example.com/*" }, pull: { after: soon }, start: soon, run: { never: "" }, terminate: { after: soon, exitCode: 0 } },
    { match: { kind: "Service" }, address: { after: soon } },
    { match: { kind: "PersistentVolumeClaim" }, bind: { after: soon } },
  ],
};
