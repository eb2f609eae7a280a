import assert from "node:assert/strict";
import { test } from "node:test";
import type { ItemChange, Notice } from "./api/index.ts";
import { LiveView } from "./live-view.ts";

const item = (n: number) => ({ type: "thing", n });

function read(view: LiveView): { changes: (readonly [ItemChange, number])[]; notices: (readonly Notice[])[]; end: () => void } {
  const [changes, notices]: [(readonly [ItemChange, number])[], (readonly Notice[])[]] = [[], []];
  const end = view.subscribe({
    onChange: (change, sequence) => changes.push([change, sequence]),
    onNotices: (all) => notices.push(all),
  });
  return { changes, notices, end };
}

test("a change is passed on without what stays as it was", () => {
  const view = new LiveView();
  const { changes } = read(view);
  view.publish({
    set: [
      ["a", item(1)],
      ["b", item(1)],
    ],
  });
  view.publish({
    set: [
      ["a", item(1)],
      ["b", item(2)],
    ],
    remove: ["c"],
  });
  view.publish({ set: [["a", item(1)]], remove: ["c"] });
  view.publish({ remove: ["a"] });
  assert.deepEqual(changes, [
    [
      {
        set: [
          ["a", item(1)],
          ["b", item(1)],
        ],
      },
      1,
    ],
    [{ set: [["b", item(2)]] }, 2],
    [{ remove: ["a"] }, 3],
  ]);
  assert.deepEqual(view.items, [["b", item(2)]]);
});

test("who comes back gets what was missed, or learns that it is no longer kept", () => {
  const view = new LiveView();
  for (let n = 1; n <= 1500; n++) view.publish({ set: [["a", item(n)]] });
  assert.deepEqual(
    view.changesAfter(1498)?.map(({ sequence }) => sequence),
    [1499, 1500],
  );
  assert.deepEqual(view.changesAfter(1500), []);
  assert.equal(view.changesAfter(500)?.length, 1000);
  assert.equal(view.changesAfter(499), undefined);
  assert.equal(view.changesAfter(1501), undefined);
});

test("notices are passed on when they change, and nothing after the end", () => {
  const view = new LiveView();
  const { notices, changes, end } = read(view);
  view.notice("a", "x");
  view.notice("a", "x");
  view.notice("a", undefined);
  end();
  view.notice("b", "y");
  view.publish({ set: [["a", item(1)]] });
  assert.deepEqual(notices, [[{ key: "a", text: "x" }], []]);
  assert.deepEqual(changes, []);
  assert.deepEqual(view.notices, [{ key: "b", text: "y" }]);
});

test("an outage is told once, in the words of the cluster's own notice where there is one", () => {
  const view = new LiveView();
  view.notice("releases", "releases: refused", { isOutage: true });
  view.notice("view", "view: refused", { isOutage: true });
  view.notice("other", "you may not", { isQuiet: true });
  assert.deepEqual(view.notices, [
    { key: "releases", text: "releases: refused" },
    { key: "other", text: "you may not", quiet: true },
  ]);
  view.notice("outage", "the cluster does not answer", { isOutage: true });
  assert.deepEqual(
    view.notices.map(({ key }) => key),
    ["other", "outage"],
  );
  for (const key of ["outage", "releases", "view"]) view.notice(key, undefined);
  assert.deepEqual(
    view.notices.map(({ key }) => key),
    ["other"],
  );
});
