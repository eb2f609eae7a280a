import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { applyObjects, eventSourceStatusText, eventSourceYaml, eventTriggerYaml } from "../../../../test/support/event-objects.ts";
import { contentYaml, labelledService, TriggerFixture, triggerYaml, yamlDocuments } from "../../../../test/support/trigger-fixture.ts";
import type { Clock } from "../../../core/clock/index.ts";
import { runAgent } from "../../agent/index.ts";
import { EvaluationTasks } from "../../evaluate/index.ts";
import { EventTemplates, renderTextsTask } from "../../instantiate/index.ts";
import { serveTasks, WorkerPool, type TaskRequest, type TaskRunner, type WorkerProcess } from "../../../worker/index.ts";
import { runEventSourceController } from "../event-source/index.ts";

/** What has the word "hangs" in it never ends. */
const unlessHanging = (run: (input: unknown) => unknown) => (input: unknown) =>
  JSON.stringify(input).includes("hangs") ? new Promise(() => {}) : run(input);

/** A worker in this process. */
class LocalWorker implements WorkerProcess {
  readonly #requests = new EventEmitter();
  readonly #replies = new EventEmitter();

  constructor() {
    const evaluation = new EvaluationTasks({});
    const templates = new EventTemplates({ now: () => 0, randomBytes });
    const handlers = {
      match: unlessHanging((input) => evaluation.match(input)),
      texts: unlessHanging((input) => renderTextsTask(input, templates)),
    };
    serveTasks(handlers, {
      onRequest: (listener) => void this.#requests.on("request", listener),
      reply: (reply) => void this.#replies.emit("reply", reply),
    });
  }

  whenReady(listener: () => void): void {
    listener();
  }
  send(request: TaskRequest): void {
    this.#requests.emit("request", request);
  }
  onReply(listener: Parameters<WorkerProcess["onReply"]>[0]): void {
    this.#replies.on("reply", listener);
  }
  onExit(): void {}
  usage(): undefined {
    return undefined;
  }
  kill(): void {}
}

function poolOn(clock: () => Clock): TaskRunner {
  let pool: WorkerPool | undefined;
  return {
    run: (task, signal) =>
      (pool ??= new WorkerPool(() => new LocalWorker(), clock(), { memoryBytes: 0, cpuMs: 0, idleMs: 8_000 }, 2)).run(task, signal),
  };
}

const lua = (body: string) => ({ evaluate: `function evaluate() ${body} end` });
const collected = { collectResources: true };
const good = yamlDocuments(
  eventSourceYaml("services", lua("return { matching = obj.metadata.labels ~= nil and obj.metadata.labels.sveltos ~= nil }"), collected),
  contentYaml("{{ .Resource.metadata.name }}"),
  triggerYaml(),
);

const content = (text: string) => contentYaml(text, "other");

test("a script and a template that hang cost their owners a failure, and others' events are deployed meanwhile", async (t) => {
  const clock: { now?: Clock } = {};
  const eventTasks = poolOn(() => clock.now!);
  const fixture = await TriggerFixture.open({ clusters: { c1: { env: "fv" }, c2: { env: "agent" } }, context: { eventTasks } });
  const { fleet } = fixture;
  clock.now = fleet.clock;
  t.after(() => fleet.close());
  void runAgent(fleet.managed("c2"), { identity: "agent", tasks: eventTasks }, fleet.signal);
  await fleet.advance(2000);
  await fixture.run(runEventSourceController);
  await fixture.apply(good);
  const badSource = eventSourceYaml("bad", lua("return { matching = true } -- hangs"));
  await fixture.apply(yamlDocuments(badSource, eventTriggerYaml("bad", "bad")));
  await applyObjects(fleet, fleet.managed("c1"), labelledService("a"));
  await fixture.pass();
  assert.deepEqual(await fixture.texts(), ["a: a"], "while the bad script runs");
  await fleet.advance(12_000);
  assert.match(
    await eventSourceStatusText(fleet, "bad"),
    /^c1 0; .*: EventSource bad: it took more than 8 s, and was ended; it is set aside until 2\S+ /,
  );
  assert.equal(await eventSourceStatusText(fleet, "services"), "c1 1");
  await fixture.apply(eventSourceYaml("bad", lua("return { matching = false }")));
  await fleet.advance(5_000);
  assert.equal(await eventSourceStatusText(fleet, "bad"), "c1 0", "a change is tried when the worker of the last try has ended");

  const badTrigger = triggerYaml("slow").replace("name: content", "name: other");
  await fixture.apply(yamlDocuments(content("{{ .Resource.metadata.name }} of other"), badTrigger));
  assert.deepEqual(await fixture.texts(), ["a: a", "a: a of other"]);
  await fixture.apply(content("{{ .Resource.metadata.name }} hangs"));
  await applyObjects(fleet, fleet.managed("c1"), labelledService("b"));
  await fixture.pass();
  assert.deepEqual(await fixture.texts(), ["a: a", "a: a of other", "b: b"], "what was deployed stays");
  await fleet.advance(30_000);
  const [info = ""] = await fixture.infos("slow");
  assert.match(info, /^c1 Failed Service default\/a: ConfigMap default\/other, text: .* it took more than 8 s, and was ended/);
  assert.match(info, / set aside until 2\d{3}-/);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  await fixture.apply(content("{{ .Resource.metadata.name }} again"));
  assert.deepEqual(await fixture.texts(), ["a: a", "a: a again", "b: b", "b: b again"]);
  assert.deepEqual(await fixture.infos("slow"), ["c1 Provisioned"]);

  await fixture.apply(
    yamlDocuments(badSource, eventTriggerYaml("away", "bad", { sourceClusterSelector: { matchLabels: { env: "agent" } } })),
  );
  await applyObjects(fleet, fleet.managed("c2"), labelledService("z"));
  await fleet.advance(20_000);
  assert.match(await eventSourceStatusText(fleet, "bad", fleet.managed("c2")), /it took more than 8 s, and was ended/);
});
