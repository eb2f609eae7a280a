import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { serviceMatches, sourceCluster, testEnvironment } from "../../../test/support/instantiate/fake-hub.ts";
import { Quarantine, TaskEnded, type TaskRunner } from "../../worker/index.ts";
import { EventTemplates, IsolatedTemplates, renderTextsTask } from "./index.ts";

const { object: cluster } = sourceCluster;

/** Workers that some matching objects end. */
function fixture() {
  const clock = new VirtualClock();
  const quarantine = new Quarantine(clock);
  const here = testEnvironment().templates;
  assert.ok(here instanceof EventTemplates);
  const state = { ran: [] as number[], deadly: (_text: string, _name: string) => false, gate: Promise.resolve(), rendered: 0 };
  const tasks: TaskRunner = {
    async run({ input, subject, title }) {
      const held = quarantine.find(subject);
      if (held !== undefined) throw new TaskEnded(title, held.reason, held.until, { isHeld: true });
      const items = input as readonly { text: string; input: { match: { ref: { name: string } } } }[];
      state.ran.push(items.length);
      await state.gate;
      if (!items.some(({ text, input: { match } }) => state.deadly(text, match?.ref.name))) return renderTextsTask(input, here);
      const { until } = quarantine.add(subject, "it took more than 5 s of the processor, and was ended");
      throw new TaskEnded(title, "it took more than 5 s of the processor, and was ended", until);
    },
  };
  const options = { tasks, clock, owner: "EventTrigger t", subject: "t", title: "EventTrigger t", onRendered: () => state.rendered++ };
  return { templates: new IsolatedTemplates(options, new AbortController().signal), state, clock };
}

const matches = serviceMatches("a/u a/v a/w a/x a/y");
const text = "{{ .MatchingResource.Name }}!";

test("texts are pending until they are rendered, all together, and known until they are forgotten", async () => {
  const { templates, state } = fixture();
  const ask = () =>
    matches
      .map((match) => templates.render("at", text, { of: "match", match, cluster }))
      .map((one) => ("text" in one ? one.text : one.state));
  const askAll = () => templates.render("at", "{{ len .MatchingResources }}", { of: "matches", matches: [...matches], cluster });
  assert.equal(await templates.renderPending(1000), "none");
  assert.deepEqual(templates.render("at", "plain", { of: "cluster", cluster }), {
    state: "rendered",
    text: "plain",
    isNondeterministic: false,
  });
  assert.deepEqual(new Set(ask()), new Set(["pending"]));
  assert.equal(askAll().state, "pending");
  assert.equal(await templates.renderPending(1000), "rendered");
  assert.deepEqual(ask(), ["u!", "v!", "w!", "x!", "y!"]);
  assert.deepEqual(askAll(), { state: "rendered", text: "5", isNondeterministic: false });
  assert.deepEqual(state.ran, [6]);
  assert.equal(await templates.renderPending(1000), "none");
  templates.forget();
  assert.equal(ask()[0], "pending");
});

test("an event that ends its worker fails, and the others are rendered; what takes long is told later", async () => {
  const { templates, state, clock } = fixture();
  state.deadly = (_, name) => name === "v";
  const ask = (source = text) => matches.map((match) => templates.render("at", source, { of: "match", match, cluster }));
  ask();
  const opened = Promise.withResolvers<void>();
  state.gate = opened.promise;
  const waiting = templates.renderPending(500);
  await clock.advance(501);
  assert.equal(await waiting, "later");
  assert.equal(await templates.renderPending(500), "later");
  opened.resolve();
  await clock.advance(1);
  assert.equal(state.rendered, 1);
  const [, failed, ...others] = ask();
  assert.deepEqual(
    others.map(({ state: each }) => each),
    ["rendered", "rendered", "rendered"],
  );
  assert.match(
    JSON.stringify(failed),
    /"at":"at","message":"EventTrigger t: it took more than 5 s of the processor, and was ended; it is set aside until/,
  );
  assert.equal(templates.retryAt, clock.now() + 10_000 - 1);
  state.deadly = (source) => source === text;
  templates.forget();
  ask();
  await templates.renderPending(500);
  assert.deepEqual(state.ran, [5, 1, 1, 1, 1, 1, 1, 1, 1], "what is set aside is not tried, and three in a row are enough");
  assert.match(JSON.stringify(ask()[4]), /the templates of the trigger are set aside until 2\S+: it took more than 5 s/);
  ask("{{ .MatchingResource.Name }}?");
  await templates.renderPending(500);
  assert.equal(ask("{{ .MatchingResource.Name }}?")[0]?.state, "rendered", "another text is tried at once");
});
