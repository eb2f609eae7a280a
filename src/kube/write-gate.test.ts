import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { Answer, Exchange, Request } from "../core/exchange/index.ts";
import { WriteGate } from "./write-gate.ts";

const done: Answer = { status: 200, headers: {}, body: ["{}"] };

/** A server that answers when it is told to. */
function fixture(assertOpen?: () => void) {
  const clock = new VirtualClock();
  const sent: { readonly request: Request; readonly answer: PromiseWithResolvers<Answer> }[] = [];
  const exchange: Exchange = (request) => {
    const answer = Promise.withResolvers<Answer>();
    sent.push({ request, answer });
    request.signal.addEventListener("abort", () => answer.reject(request.signal.reason), { once: true });
    return answer.promise;
  };
  const gate = new WriteGate(assertOpen);
  const guarded = gate.guard(exchange, clock);
  const stop = new AbortController();
  const request = (method: string) => guarded({ method, path: "/", headers: {}, signal: stop.signal });
  let isSettled = false;
  const settle = () => void gate.settled().then(() => (isSettled = true));
  return { clock, sent, request, stop, gate, settle, isSettled: () => isSettled };
}

test("an aborted write ends for its caller at once, and is under way until the server has answered", async () => {
  const { clock, sent, request, stop, settle, isSettled } = fixture();
  const writing = request("PATCH");
  settle();
  stop.abort(new Error("it goes to another"));
  await assert.rejects(writing, /it goes to another/);
  await clock.advance(19_000);
  assert.deepEqual([isSettled(), sent[0]!.request.signal.aborted], [false, false]);
  sent[0]!.answer.resolve({ ...done, body: (async function* () {})() });
  await clock.advance(0);
  assert.deepEqual([isSettled(), sent[0]!.request.signal.aborted], [true, true], "nobody reads the body");
});

test("a write that is never answered is given up in the end", async () => {
  const { clock, sent, request, stop, settle, isSettled } = fixture();
  const writing = request("DELETE");
  settle();
  stop.abort(new Error("over"));
  await assert.rejects(writing, /over/);
  await clock.advance(20_000);
  assert.deepEqual([isSettled(), sent[0]!.request.signal.aborted], [true, true]);
});

test("reads are aborted at once, and nobody waits for them", async () => {
  const { clock, sent, request, stop, settle, isSettled } = fixture();
  const reading = request("GET");
  settle();
  stop.abort(new Error("over"));
  await assert.rejects(reading, /over/);
  await clock.advance(0);
  assert.deepEqual([isSettled(), sent[0]!.request.signal.aborted], [true, true]);
});

test("what may not be written is not sent", async () => {
  const { sent, request } = fixture(() => {
    throw new Error("not ours");
  });
  await assert.rejects(request("POST"), /not ours/);
  assert.equal(sent.length, 0);
});

test("the body of an answer ends with its caller's signal", async () => {
  const { sent, request, stop } = fixture();
  const writing = request("POST");
  sent[0]!.answer.resolve({ ...done, body: (async function* () {})() });
  await writing;
  stop.abort(new Error("over"));
  assert.equal(sent[0]!.request.signal.aborted, true);
});
