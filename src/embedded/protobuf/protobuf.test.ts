import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as assertProperty, integer, property, uint8Array } from "fast-check";
import "../../../test/support/fixed-seed.ts";
import { encodedObject } from "../builtin/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { protobufKinds } from "../data/index.ts";
import { seededRandom } from "../seeded-random.ts";
import { messageTypeOf, type MessageField, type MessageType } from "./message-type.ts";
import { decodeBody, encodeEvent, encodeList, encodeObject, ProtobufFault, readEnvelope } from "./index.ts";
import recorded from "./recorded/bodies.json" with { type: "json" };

const decode = (bytes: Uint8Array) => decodeBody(readEnvelope(bytes));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** Kinds that are only answered, never sent. */
const isAnswer = /^(API|Status$)|List$/;

for (const { path, json, protobuf } of recorded.bodies) {
  test(`${path} is written as the real server writes it, and read again`, () => {
    assert.equal(base64(encodeObject(json)), protobuf);
    if (isAnswer.test(json.kind)) return;
    assert.deepEqual(encodedObject(decode(Buffer.from(protobuf, "base64")) as KubeObject), json);
  });
}

test("a list is its items, and an event of a watch is a frame", () => {
  const list = recorded.bodies.find(({ json }) => json.kind === "SecretList")!;
  const { items = [], kind, apiVersion = "", metadata = {} } = list.json;
  const secrets = items.map((item) => ({ ...item, kind: "Secret", apiVersion: "v1" }));
  assert.equal(base64(encodeList({ kind, apiVersion, metadata }, secrets)), list.protobuf);
  assert.equal(base64(encodeEvent(recorded.event.json.type, recorded.event.json.object)), recorded.event.protobuf);
});

const kinds = Object.keys(protobufKinds()).map((key) => {
  const at = key.lastIndexOf("/");
  return { apiVersion: key.slice(0, at), kind: key.slice(at + 1) };
});

test("every object of every kind is read as it was written", () => {
  assertProperty(
    property(integer(), integer({ min: 0, max: kinds.length - 1 }), (seed, at) => {
      const { apiVersion, kind } = kinds[at]!;
      const random = new RandomObject(seed);
      const object = { apiVersion, kind, ...random.message(messageTypeOf(apiVersion, kind)!, 4) };
      const bytes = encodeObject(object);
      assert.deepEqual(decode(bytes), object);
      assert.deepEqual(encodeObject(decode(bytes) as typeof object), bytes);
    }),
    { numRuns: 150 },
  );
});

test("bytes that are no message are a fault, or are read", () => {
  const bodies = recorded.bodies.map(({ protobuf }) => Buffer.from(protobuf, "base64"));
  assertProperty(
    property(integer(), uint8Array({ minLength: 1, maxLength: 12 }), (seed, noise) => {
      const random = seededRandom(seed);
      const body = Buffer.from(bodies[Math.floor(random() * bodies.length)]!);
      body.set(noise, 4 + Math.floor(random() * (body.length - 4 - noise.length)));
      try {
        decode(random() < 0.5 ? body : body.subarray(0, Math.floor(random() * body.length)));
      } catch (error) {
        assert.ok(error instanceof ProtobufFault, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test("a schema may be nested deeper than a stack has room for", () => {
  assert.equal(decode(nestedBody(30_000))["kind"], "CustomResourceDefinition");
});

/** A definition whose schema is in `not` of a schema, and so on. */
function nestedBody(levels: number): Uint8Array {
  let schema: Uint8Array = new Uint8Array();
  // `not` is a field of the schema itself.
  for (let level = 0; level < levels; level++) schema = field(28, schema);
  const version = field(4, field(1, schema));
  return Buffer.concat([
    Buffer.from("k8s\0"),
    field(1, Buffer.from("\n\x17apiextensions.k8s.io/v1\x12\x18CustomResourceDefinition")),
    field(2, field(2, field(7, version))),
  ]);
}

/** A field of bytes. */
function field(number: number, value: Uint8Array): Uint8Array {
  const varint = (rest: number): number[] => (rest < 128 ? [rest] : [(rest % 128) + 128, ...varint(Math.floor(rest / 128))]);
  return Buffer.concat([Buffer.from(varint(number * 8 + 2)), Buffer.from(varint(value.length)), value]);
}

/** Objects as JSON has them after a round trip through Go: values are there unless they are zero, embedded structs always. */
class RandomObject {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  message(type: MessageType, depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const each of type.fields) {
      if (each.name === "") Object.assign(object, this.message(each.message, depth));
      else if (each.form === "value" && each.letter === "@") object[each.name] = this.message(each.message, depth - 1);
      else if (depth > 0 && this.#random() < 0.3) object[each.name] = this.#field(each, depth - 1);
      else if (each.form === "value" && (each.letter === "i" || each.letter === "q")) object[each.name] = each.letter === "i" ? 0 : "0";
    }
    return object;
  }

  #field(each: MessageField, depth: number): unknown {
    const value = () => this.#value(each, depth);
    if (each.form === "list") return Array.from({ length: 1 + this.#below(3) }, value);
    if (each.form === "map")
      return Object.fromEntries(
        Array.from({ length: 1 + this.#below(3) }, () => [this.#text(), this.#value(each.message.byNumber[2]!, depth)]),
      );
    return value();
  }

  #value({ letter, message }: MessageField, depth: number): unknown {
    switch (letter) {
      case "s":
        return this.#text();
      case "y":
        return Buffer.from(this.#text()).toString("base64");
      case "b":
        return true;
      case "n":
        return this.#below(2 ** 32) - 2 ** 31 || 1;
      case "l":
        return this.#below(2 ** 53) * (this.#random() < 0.5 ? 1 : -1) || 1;
      case "f":
        return this.#random() + 1;
      case "q":
        return `${this.#below(100)}Mi`;
      case "i":
        return this.#random() < 0.5 ? this.#text() : this.#below(100) - 50;
      case "t":
        return `${new Date(1 + this.#below(4e9) * 1000).toISOString().slice(0, 19)}Z`;
      case "u":
        return `${new Date(1 + this.#below(4e9) * 1000).toISOString().slice(0, 19)}.${String(this.#below(1e6)).padStart(6, "0")}Z`;
      case "r":
        return { a: [this.#text(), 1.5, null] };
      case "w":
        return [this.#text(), ""];
      case "A":
      case "S":
        return this.#random() < 0.5 ? { type: "string" } : letter === "A" ? [{ type: "string" }] : [this.#text()];
      case "B":
        return this.#random() < 0.3 ? { type: "string" } : this.#random() < 0.5;
      case "@":
        return this.message(message, depth);
    }
  }

  #text(): string {
    return ["a", "über", "日本", "😀", "\u0000", "__proto__", "x".repeat(this.#below(300)) || "y"][this.#below(7)]! + this.#below(10);
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}
