import assert from "node:assert/strict";
import { test } from "node:test";
import { GoError } from "../../lang/template/index.ts";
import { resolveLookups, type LookupQuery } from "./resolve-lookups.ts";

test("lookups are answered between two runs, each once", async () => {
  const asked: string[] = [];
  const ask = async ({ name }: LookupQuery) => {
    asked.push(name);
    return { next: `${name}'` };
  };
  let runs = 0;
  const result = await resolveLookups(ask, (lookup) => {
    runs++;
    const first = lookup("v1", "Secret", "ns", "a") as { next: string } | undefined;
    const second = first === undefined ? undefined : (lookup("v1", "Secret", "ns", first.next) as { next: string } | undefined);
    lookup("v1", "Secret", "ns", "b");
    return second?.next;
  });
  assert.equal(result, "a''");
  assert.deepEqual(asked, ["a", "b", "a'"]);
  assert.equal(runs, 3);
});

/** Fails without the answer. */
function demanding(answer: unknown): string {
  if (answer === undefined) throw new Error("not there yet");
  return "there";
}

test("an error counts only once nothing is unknown", async () => {
  assert.equal(
    await resolveLookups(
      async () => ({}),
      (lookup) => demanding(lookup("v1", "Secret", "ns", "a")),
    ),
    "there",
  );
  await assert.rejects(
    resolveLookups(
      async () => undefined,
      (lookup) => demanding(lookup("v1", "Secret", "ns", "a")),
    ),
    /not there yet/,
  );
});

test("an answer that is an error is thrown where the question was asked", async () => {
  await assert.rejects(
    resolveLookups(
      async () => new GoError("no such kind"),
      (lookup) => lookup("v9", "Widget", "", "a"),
    ),
    /no such kind/,
  );
});

test("endless lookups are refused", async () => {
  let count = 0;
  await assert.rejects(
    resolveLookups(
      async () => undefined,
      (lookup) => lookup("v1", "Secret", "ns", `s${count++}`),
    ),
    /look up new objects each time/,
  );
});
