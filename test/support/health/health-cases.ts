import assert from "node:assert/strict";
import test from "node:test";
import { assess, type Health } from "../../../src/health/index.ts";

/** One case for the health of a custom resource. */
type HealthCase = {
  readonly what: string;
  readonly expect: string;
  readonly status?: unknown;
  readonly spec?: unknown;
  readonly kind?: string;
  readonly generation?: number;
};

/** Tests every row of every table. */
export function testTables(tables: Readonly<Record<string, readonly HealthCase[]>>): void {
  for (const [group, rows] of Object.entries(tables)) {
    for (const row of rows) test(`${group}: ${row.what}`, () => assert.equal(textOf(assessCase(row)), row.expect));
  }
}

export function assessCase({ status, spec, kind = "Widget", generation }: Omit<HealthCase, "what" | "expect">): Health {
  const metadata = { name: "it", ...(generation === undefined ? {} : { generation }) };
  const object = { apiVersion: "example.org/v1", kind, metadata, spec, ...(status === undefined ? {} : { status }) };
  return assess(object, { hasStatus: true });
}

function textOf(health: Health): string {
  const why = health.state === "ready" ? health.note : health.because;
  return why === undefined ? health.state : `${health.state}: ${why}`;
}

/** `Ready=False(InstallFailed: no chart)` as a condition. */
export function conditions(...texts: readonly string[]): { conditions: unknown[] } {
  const parsed = texts.map((text) => {
    const [, type, status, reason, message] = /^([^=]+)=(\w+)(?:\(([^:)]*)(?:: (.*))?\))?$/.exec(text)!;
    return { type, status, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
  });
  return { conditions: parsed };
}
