import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { WorkerPool, type WorkerProcess, type WorkerUsage } from "./index.ts";
import { packed, unpacked } from "./parcel.ts";
import type { TaskReply, TaskRequest } from "./task.ts";

const limits = { memoryBytes: 2 ** 20, cpuMs: 1000, idleMs: 5000 };
const never = new AbortController().signal;

/** A worker that does what it is told by the test. */
class ScriptedWorker implements WorkerProcess {
  readonly requests: TaskRequest[] = [];
  used: WorkerUsage | undefined = { memoryBytes: 0, cpuMs: 0, isRunnable: false };
  isKilled = false;
  #reply: (reply: TaskReply) => void = () => {};
  exit: (how: string, isReady: boolean) => void = () => {};

  whenReady(listener: () => void): void {
    listener();
  }
  send(request: TaskRequest): void {
    this.requests.push(request);
  }
  onReply(listener: (reply: TaskReply) => void): void {
    this.#reply = listener;
  }
  onExit(listener: (how: string, isReady: boolean) => void): void {
    this.exit = listener;
  }
  usage(): WorkerUsage | undefined {
    return this.used;
  }
  kill(): void {
    this.isKilled = true;
  }
  answer(): void {
    const { id, input } = this.requests.at(-1)!;
    this.#reply({ id, output: packed(`done ${String(unpacked(input))}`) });
  }
}

function poolOf(size: number) {
  const clock = new VirtualClock();
  const workers: ScriptedWorker[] = [];
  const start = () => {
    const worker = new ScriptedWorker();
    workers.push(worker);
    return worker;
  };
  const pool = new WorkerPool(start, clock, limits, size);
  const results: string[] = [];
  const run = (owner: string, name: string, signal = never) =>
    void pool.run({ handler: "x", input: name, owner, subject: name, title: name }, signal).then(
      (output) => results.push(String(output)),
      (error: unknown) => results.push(error instanceof Error ? error.message : String(error)),
    );
  const inputs = () => workers.map(({ requests }) => requests.map(({ input }) => unpacked(input)).join(" "));
  return { clock, pool, workers, results, run, inputs };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("owners take turns, and one worker is left for others", async () => {
  const { run, inputs, workers, results } = poolOf(2);
  for (const name of ["a1", "a2", "a3"]) run("a", name);
  assert.deepEqual(inputs(), ["a1"]);
  run("b", "b1");
  run("c", "c1");
  assert.deepEqual(inputs(), ["a1", "b1"]);
  workers[0]!.answer();
  assert.deepEqual(inputs(), ["a1 a2", "b1"]);
  workers[1]!.answer();
  assert.deepEqual(inputs(), ["a1 a2", "b1 c1"]);
  workers[0]!.answer();
  workers[1]!.answer();
  assert.deepEqual(inputs(), ["a1 a2 a3", "b1 c1"]);
  await turn();
  assert.deepEqual(results, ["done a1", "done b1", "done a2", "done c1"]);
});

test("an owner gets the worker that it had before, when that is idle", () => {
  const { run, inputs, workers } = poolOf(2);
  run("a", "a1");
  run("b", "b1");
  for (const worker of workers) worker.answer();
  run("a", "a2");
  workers[0]!.answer();
  run("b", "b2");
  workers[1]!.answer();
  run("c", "c1");
  assert.deepEqual(inputs(), ["a1 a2", "b1 b2 c1"]);
});

test("a worker that has taken half of the memory is not used again", async () => {
  const { run, inputs, workers, results } = poolOf(2);
  run("a", "large");
  workers[0]!.used = { memoryBytes: 2 ** 19 + 1, cpuMs: 0, isRunnable: true };
  workers[0]!.answer();
  run("a", "next");
  assert.deepEqual([inputs(), workers[0]!.isKilled], [["large", "next"], true]);
  workers[1]!.answer();
  await turn();
  assert.deepEqual(results, ["done large", "done next"]);
});

test("a task that waits for a processor, or gets little of one, has its limit of the processor and no other", async () => {
  const { clock, run, workers, results } = poolOf(1);
  run("a", "starved");
  workers[0]!.used = { memoryBytes: 0, cpuMs: 0, isRunnable: true };
  await clock.advance(600_000);
  // It sleeps whenever it is looked at, and has run in between.
  for (let cpuMs = 10; cpuMs <= 900; cpuMs += 10) {
    workers[0]!.used = { memoryBytes: 0, cpuMs, isRunnable: false };
    await clock.advance(100);
  }
  assert.equal(workers[0]!.isKilled, false);
  workers[0]!.answer();
  await turn();
  assert.deepEqual(results, ["done starved"]);
});

const excesses: readonly (readonly [what: string, used: WorkerUsage | undefined, ms: number])[] = [
  ["it used more than 1 MiB of memory", { memoryBytes: 2 ** 21, cpuMs: 0, isRunnable: true }, 100],
  ["it took more than 1 s of the processor", { memoryBytes: 0, cpuMs: 1100, isRunnable: true }, 100],
  ["it did nothing for more than 5 s", { memoryBytes: 0, cpuMs: 0, isRunnable: false }, 5100],
  ["it took more than 5 s", undefined, 5100],
];

for (const [what, used, ms] of excesses)
  test(`a task ends its worker when ${what}, is set aside, and the next gets another worker`, async () => {
    const { clock, run, workers, results, inputs } = poolOf(2);
    run("a", "bad");
    workers[0]!.used = used;
    await clock.advance(ms);
    assert.equal(workers[0]!.isKilled, true);
    run("a", "bad");
    run("a", "good");
    workers[1]!.answer();
    await turn();
    const until = new Date(clock.now() + 10_000).toISOString().replace(/\.\d+Z/, "Z");
    const refusal = `bad: ${what}, and was ended; it is set aside until ${until}, and tried again then or when it changes`;
    assert.deepEqual(results, [refusal, refusal, "done good"]);
    await clock.advance(10_001);
    run("a", "bad");
    assert.deepEqual(inputs(), ["bad", "good bad"]);
    workers[1]!.exit("SIGABRT", true);
    await turn();
    const later = new Date(clock.now() + 20_000).toISOString().replace(/\.\d+Z/, "Z");
    assert.match(results.at(-1)!, new RegExp(`it ended its worker process \\(SIGABRT\\).* until ${later}`));
  });

test("an owner whose texts keep ending workers pauses with all of them, and others do not", async () => {
  const { clock, run, workers, results } = poolOf(2);
  const kill = async (name: string) => {
    run("eve", name);
    workers.at(-1)!.exit("SIGABRT", true);
    await turn();
  };
  for (const name of ["1", "2", "3"]) await kill(name);
  run("eve", "fine");
  workers.at(-1)!.answer();
  await turn();
  assert.equal(results.splice(0).at(-1), "done fine", "each new text is tried at once");
  run("eve", "4");
  for (const name of ["5", "6"]) run("eve", name);
  workers.at(-1)!.exit("SIGABRT", true);
  await turn();
  const until = (ms: number) => new Date(clock.now() + ms).toISOString().replace(/\.\d+Z/, "Z");
  const because = "4 texts have ended their worker processes, the last because it ended its worker process (SIGABRT), as a full heap does";
  const paused = (name: string, ms: number) => `${name}: ${because}; all texts of eve are set aside until ${until(ms)}`;
  assert.deepEqual(results.splice(0).slice(1), [paused("5", 10_000), paused("6", 10_000)], "also those that wait already");
  await clock.advance(9000);
  run("eve", "7");
  run("bob", "his");
  workers.at(-1)!.answer();
  await turn();
  assert.deepEqual(results.splice(0), [paused("7", 1000), "done his"]);
  await clock.advance(1001);
  await kill("8");
  run("eve", "9");
  await turn();
  assert.match(results.splice(0).at(-1)!, new RegExp(`^9: 5 texts .* until ${until(20_000)}$`));
  await clock.advance(600_001);
  await kill("10");
  run("eve", "11");
  workers.at(-1)!.answer();
  await turn();
  assert.equal(results.at(-1), "done 11", "it is forgotten after ten minutes");
});

test("an owner does not pause for data that may be another's", async () => {
  const { pool, workers, results } = poolOf(2);
  const run = (name: string) =>
    pool
      .run({ handler: "x", input: name, owner: "a", subject: name, title: name, sparesOwner: true }, never)
      .then(String, (error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((text) => results.push(text));
  for (const name of ["1", "2", "3", "4", "5"]) {
    void run(name);
    workers.at(-1)!.exit("SIGABRT", true);
  }
  void run("good");
  workers.at(-1)!.answer();
  await turn();
  assert.equal(results.length, 6);
  assert.equal(results.at(-1), "done good");
});

test("while a task takes long, and after it has ended its worker, another worker is ready for others", async () => {
  const { clock, run, workers, inputs } = poolOf(2);
  run("a", "slow");
  await clock.advance(99);
  assert.equal(workers.length, 1);
  await clock.advance(1000);
  assert.equal(workers.length, 2);
  run("b", "quick");
  assert.deepEqual(inputs(), ["slow", "quick"]);
  workers[1]!.answer();
  workers[0]!.exit("SIGABRT", true);
  assert.equal(workers.length, 2, "one is idle");
  run("b", "slow too");
  workers[1]!.exit("SIGABRT", true);
  assert.equal(workers.length, 3);
});

test("however many owners end workers, one worker is left for those whose last task was cheap", async () => {
  const { clock, run, workers, inputs } = poolOf(2);
  run("good", "g1");
  workers[0]!.answer();
  run("eve1", "e1");
  workers[0]!.exit("SIGABRT", true);
  for (const at of [2, 3, 4]) run(`eve${at}`, `e${at}`);
  assert.equal(inputs().join(), "g1 e1,e2", "new owners have one worker by turns");
  run("good", "g2");
  assert.equal(inputs().join(), "g1 e1,e2,g2");
  run("new", "n1");
  workers[2]!.answer();
  run("good", "g3");
  assert.equal(inputs().join(), "g1 e1,e2,g2 g3");
  workers[1]!.exit("SIGABRT", true);
  workers[3]!.exit("SIGABRT", true);
  workers[4]!.exit("SIGABRT", true);
  assert.equal(inputs().at(-1), "n1", "whoever is new waits for the others who are");
  workers[2]!.used = { memoryBytes: 0, cpuMs: 101, isRunnable: true };
  workers[2]!.answer();
  run("good", "g4");
  assert.equal(inputs().join(), "g1 e1,e2,g2 g3,e3,e4,n1", "a task that took a tenth of its time was not cheap");
  workers[5]!.answer();
  assert.equal(inputs().join(), "g1 e1,e2,g2 g3 g4,e3,e4,n1");
  await clock.advance(600_001);
  run("eve5", "e5");
  assert.equal(inputs().join(), "g1 e1,e2,g2 g3 g4,e3,e4,n1 e5", "long after it, all are alike");
});

test("a worker that never started is nobody's fault", async () => {
  const { run, workers, results } = poolOf(2);
  run("a", "one");
  workers[0]!.exit("spawn EAGAIN", false);
  run("a", "one");
  workers[1]!.answer();
  await turn();
  assert.deepEqual(results, ["start a worker process for one: it ended (spawn EAGAIN)", "done one"]);
});

test("nothing is looked at while no task runs, and what is given up does not start", async () => {
  const { clock, run, workers, results, inputs, pool } = poolOf(2);
  const leaving = new AbortController();
  run("a", "one");
  run("a", "two", leaving.signal);
  leaving.abort(new Error("gone"));
  workers[0]!.answer();
  await turn();
  assert.deepEqual(results, ["gone", "done one"]);
  assert.deepEqual(inputs(), ["one"]);
  workers[0]!.used = { memoryBytes: 2 ** 30, cpuMs: 1e6, isRunnable: true };
  await clock.advance(60_000);
  assert.equal(workers[0]!.isKilled, false);
  pool.close();
  assert.equal(workers[0]!.isKilled, true);
});
