import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { eventSourceOf, resultText, serviceFrom } from "../../../test/support/evaluate/event-sources.ts";
import { EvaluationState, EvaluationTasks, type EvaluationTaskInput, type Match } from "../evaluate/index.ts";
import { Quarantine, TaskEnded, type TaskRunner } from "../../worker/index.ts";
import { IsolatedEvaluation } from "./isolated-evaluation.ts";

const lua = (condition: string) =>
  eventSourceOf(`resourceSelectors:
- group: ""
  version: v1
  kind: Service
  evaluate: |
    function evaluate()
      return { matching = ${condition} }
    end
`);

/** A worker that runs tasks when the test says so, and that some objects end. */
class TasksFixture implements TaskRunner {
  readonly tasks = new EvaluationTasks({});
  readonly clock = new VirtualClock();
  readonly quarantine = new Quarantine(this.clock);
  readonly ran: string[] = [];
  deadly = (_name: string) => false;
  failure: Fault | undefined;
  gate: Promise<void> | undefined;

  async run({ handler, input, subject, title }: Parameters<TaskRunner["run"]>[0]): Promise<unknown> {
    const { objects } = structuredClone(input) as EvaluationTaskInput;
    const held = this.quarantine.find(subject);
    if (held !== undefined) throw new TaskEnded(title, held.reason, held.until, { isHeld: true });
    this.ran.push(`${handler} ${objects.map(({ metadata }) => metadata.name).join(" ")}`.trim());
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    if (objects.some(({ metadata }) => this.deadly(metadata.name))) {
      const { reason, until } = this.quarantine.add(subject, "it took more than 5 s, and was ended");
      throw new TaskEnded(title, reason, until);
    }
    this.quarantine.release(subject);
    return handler === "match" ? this.tasks.match(input) : this.tasks.aggregate(input);
  }
}

function fixture(t: { after(end: () => void): void }, source: ReturnType<typeof lua>, last: readonly Match[] = []) {
  const runner = new TasksFixture();
  const { clock } = runner;
  const state = new EvaluationState(source, last);
  const stop = new AbortController();
  t.after(() => stop.abort());
  let changes = 0;
  const evaluation = new IsolatedEvaluation(
    source,
    state,
    { tasks: runner, ownerOf: (name) => name, scope: "c1", clock, isListed: () => true, onChange: () => changes++ },
    stop.signal,
  );
  const put = async (...objects: readonly KubeObject[]) => {
    for (const object of objects) state.put(object);
    evaluation.wake();
    await clock.advance(1);
  };
  const text = () => resultText({ ...state.result(), failures: [] });
  const failures = () => state.result().failures.map(({ ref, reason }) => `${ref === undefined ? "" : `${ref.name}: `}${reason}`);
  return { runner, clock, state, evaluation, stop, put, failures, changes: () => changes, text };
}

const services = (...names: readonly string[]) => names.map((name) => serviceFrom(`default/${name}`));

test("objects are judged elsewhere, many at once, and what labels decide is not sent", async (t) => {
  const source = eventSourceOf(`resourceSelectors:
- {group: "", version: v1, kind: Service, namespace: default, evaluateCEL: [{name: r, rule: 'resource.metadata.name != "b"'}]}
`);
  const { runner, put, text, state, evaluation, changes } = fixture(t, source);
  assert.equal(evaluation.hasAnswered, false);
  await put(...services("a", "b", "c"), serviceFrom("other/d"));
  assert.equal(evaluation.hasAnswered, true);
  assert.equal(text(), "default/a default/c");
  assert.deepEqual(runner.ran, ["match a b c"]);
  assert.equal(changes(), 1);
  state.remove(refOf(serviceFrom("default/a")));
  evaluation.wake();
  assert.equal(changes(), 2, "a deletion is told at once");
  assert.equal(text(), "default/c");
  await put(serviceFrom("other/d"));
  assert.deepEqual(runner.ran, ["match a b c"]);
});

test("what changes while a worker has it is judged again, and what is deleted then stays away", async (t) => {
  const { runner, put, text, state, evaluation, clock } = fixture(t, lua("obj.metadata.labels == nil"));
  const opened = Promise.withResolvers<void>();
  runner.gate = opened.promise;
  await put(...services("a", "b", "c"));
  state.put({ ...serviceFrom("default/a"), metadata: { name: "a", namespace: "default", labels: { no: "more" } } });
  state.remove(refOf(serviceFrom("default/b")));
  evaluation.wake();
  opened.resolve();
  await clock.advance(1);
  assert.equal(text(), "default/c");
  assert.deepEqual(runner.ran, ["match a b c", "match a"]);
});

test("an object that ends its worker is set aside, and the others are judged", async (t) => {
  const { runner, put, text, failures, clock } = fixture(t, lua("true"));
  runner.deadly = (name) => name === "bad";
  await put(...services("a", "bad", "c"));
  assert.equal(text(), "default/a default/c");
  assert.deepEqual(runner.ran, ["match a bad c", "match a", "match bad", "match c"]);
  assert.match(failures().join(), /^bad: EventSource .*: it took more than 5 s, and was ended; it is set aside until \d{4}-/);
  await put(...services("d", "bad"));
  assert.equal(text(), "default/a default/c default/d");
  assert.deepEqual(runner.ran.slice(4), ["match d"], "it is not tried again, though it has changed");
  await clock.advance(10_000);
  assert.deepEqual(runner.ran.slice(5), ["match bad"]);
  await clock.advance(19_000);
  assert.deepEqual(runner.ran.slice(6), [], "the next pause is longer");
  runner.deadly = () => false;
  await clock.advance(2_000);
  assert.equal(text(), "default/a default/bad default/c default/d");
  assert.deepEqual(failures(), []);
});

test("a script that ends every worker is set aside as a whole, and nothing is lost", async (t) => {
  const last = services("a", "d").map((object) => ({ ref: refOf(object), object, message: "" }));
  const { runner, put, text, failures, clock } = fixture(t, lua("true"), last);
  runner.deadly = () => true;
  await put(...services("a", "b", "c", "d", "e"));
  assert.deepEqual(runner.ran, ["match a b c d e", "match a", "match b", "match c"]);
  assert.equal(text(), "default/a default/d", "the last report holds");
  assert.match(failures()[0]!, /^all scripts and rules are set aside until 2\S*: it took more than 5 s, and was ended$/);
  await put(...services("f"));
  assert.equal(runner.ran.length, 4);
  await clock.advance(11_000);
  const tries = runner.ran.length;
  assert.ok(tries > 4);
  await clock.advance(15_000);
  assert.equal(runner.ran.length, tries, "the next pause is longer");
  runner.deadly = () => false;
  await clock.advance(60_000);
  assert.equal(text(), "default/a default/b default/c default/d default/e default/f");
  assert.deepEqual(failures(), []);
});

test("a script that cannot be compiled is told without any object, and a worker that cannot start is tried again", async (t) => {
  const { runner, put, failures, clock } = fixture(t, lua("("));
  runner.failure = new Fault("start a worker process for it: it ended (spawn EAGAIN)");
  await put();
  assert.match(
    failures().join(),
    /^all scripts and rules are set aside until .*: start a worker process for it: it ended \(spawn EAGAIN\)$/,
  );
  runner.failure = undefined;
  await clock.advance(11_000);
  assert.match(failures().join(), /^[^:]+:2: /);
});

test("the aggregating script runs elsewhere, and its last choice stands while it is set aside", async (t) => {
  const source = eventSourceOf(`resourceSelectors:
- {group: "", version: v1, kind: Service}
aggregatedSelection: |
  function evaluate()
    local found = {}
    for _, resource in ipairs(resources) do
      if resource.metadata.name ~= "b" then table.insert(found, resource) end
    end
    return { resources = found, message = "chosen" }
  end
`);
  const { runner, put, text, failures, clock, state } = fixture(t, source);
  await put(...services("a", "b"));
  assert.equal(text(), "default/a");
  assert.equal(state.result().message, "chosen");
  assert.deepEqual(runner.ran, ["match", "aggregate a b"]);
  runner.deadly = (name) => name === "bad";
  await put(...services("bad"));
  assert.equal(text(), "default/a");
  assert.match(failures().join(), /^EventSource .*: it took more than 5 s, and was ended; it is set aside until/);
  runner.deadly = () => false;
  await clock.advance(11_000);
  assert.equal(text(), "default/a default/bad");
  assert.deepEqual(failures(), []);
});

test("a large batch is several tasks, and nothing is run once it is stopped", async (t) => {
  const { runner, put, stop, text } = fixture(t, lua("true"));
  const large = services("a", "b", "c").map((object) => ({ ...object, data: "x".repeat(700_000) }));
  await put(...large);
  assert.deepEqual(runner.ran, ["match a", "match b", "match c"]);
  assert.equal(text(), "default/a default/b default/c");
  stop.abort();
  await put(...services("d"));
  assert.equal(runner.ran.length, 3);
});
