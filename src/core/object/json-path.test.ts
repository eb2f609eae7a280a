import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findValues, parseJsonPath, parseJsonPathTemplate, printJsonPath } from "./json-path.ts";

const object = {
  kind: "Pod",
  metadata: { name: "web", annotations: { "a.b/c": "dotted" }, labels: { app: "web" } },
  spec: {
    containers: [
      { name: "main", image: "web:1", ports: [{ containerPort: 80 }, { containerPort: 443 }] },
      { name: "side", image: "side:2" },
    ],
    weight: 2.5,
    nothing: null,
    empty: [],
  },
  status: {
    conditions: [
      { type: "Ready", status: "True", count: 3 },
      { type: "Initialized", status: "False", count: 5 },
      { type: "It's", status: "Unknown" },
    ],
    html: "<a>&",
  },
};

/** Every text is what client-go's jsonpath prints. */
const printed: Record<string, string> = {
  "{.metadata.name}": "web",
  "{$.metadata.name}": "web",
  "{@.metadata.name}": "web",
  "{.metadata['name']}": "web",
  "{['metadata'].name}": "web",
  "{.metadata.annotations.a\\.b/c}": "dotted",
  "{.metadata.annotations['a\\.b/c']}": "dotted",
  "{.metadata.labels}": '{"app":"web"}',
  "{.spec.containers[0].name}": "main",
  "{.spec.containers[-1].name}": "side",
  "{.spec.containers[*].name}": "main side",
  "{.spec.containers[:].name}": "main side",
  "{.spec.containers[0:1].name}": "main",
  "{.spec.containers[1:].name}": "side",
  "{.status.conditions[0:3:2].type}": "Ready It's",
  "{.status.conditions[0:0].type}": "",
  "{.spec.containers[0,1].image}": "web:1 side:2",
  "{.spec.containers[0]['name','image']}": "main web:1",
  "{.spec.containers[*].ports[*].containerPort}": "80 443",
  "{.spec.containers[0].ports[0]}": '{"containerPort":80}',
  "{..containerPort}": "80 443",
  "{.metadata..name}": "web",
  "{.status.conditions[*].*}": "Ready True 3 Initialized False 5 It's Unknown",
  '{.status.conditions[?(@.type=="Ready")].status}': "True",
  "{.status.conditions[?(@.type=='Ready')].status}": "True",
  '{.status.conditions[?(@.type == "Ready")].status}': "True",
  '{.status.conditions[?(@.type!="Ready")].type}': "Initialized It's",
  "{.status.conditions[?(@.count>3)].type}": "Initialized",
  "{.status.conditions[?(@.count>=3)].type}": "Ready Initialized",
  "{.status.conditions[?(@.count<5)].type}": "Ready",
  "{.status.conditions[?(@.count<=5)].type}": "Ready Initialized",
  "{.status.conditions[?(@.count)].type}": "Ready Initialized",
  '{.status.conditions[?(@.type=="It\'s")].status}': "Unknown",
  "{.spec.weight}": "2.5",
  "{.spec.nothing}": "null",
  "{.spec.empty}": "[]",
  "{.spec.empty[*]}": "",
  "{.status.html}": "<a>&",
  "{.absent.deeper}": "",
  "name: {.metadata.name}, kind: {.kind}": "name: web, kind: Pod",
  ".metadata.name": ".metadata.name",
  '{.kind}{"\\t"}{.metadata.name}{"\\n"}': "Pod\tweb\n",
  '{\'single\'}{"dou\\"ble\\u00e9"}': 'singledou"bleé',
  '{range .spec.containers[*]}{.name}={.image}{"\\n"}{end}': "main=web:1\nside=side:2\n",
  "{range .spec.containers[*]}[{range .ports[*]}{.containerPort};{end}]{end}.": "[80;443;][].",
  "{range .absent[*]}x{end}y": "y",
  "{true}{5}{-1.5}": "true5-1.5",
};

for (const [template, expected] of Object.entries(printed)) {
  test(`${template} prints ${JSON.stringify(expected)}`, () => assert.equal(printJsonPath(template, object), expected));
}

test("paths may leave out the braces and the first dot", () => {
  for (const path of ["{.metadata.name}", "{metadata.name}", ".metadata.name", "metadata.name", "$.metadata.name", "['metadata'].name"])
    assert.deepEqual(findValues(path, object), ["web"], path);
  assert.deepEqual(findValues("..containerPort", object), [80, 443]);
  assert.deepEqual(findValues('status.conditions[?(@.type=="Ready")].status', object), ["True"]);
  assert.deepEqual(findValues("{range .spec.containers[*]}{.name}{end}", object), ["main", "side"]);
});

test("values are found as they are", () => {
  assert.deepEqual(findValues(".spec.containers[0].ports", object), [[{ containerPort: 80 }, { containerPort: 443 }]]);
  assert.deepEqual(findValues(".spec.nothing", object), [null]);
  assert.deepEqual(findValues(".absent", object), []);
  assert.deepEqual(findValues(".toString", object), []);
});

/** The beginnings are client-go's messages. The position is ours. */
const malformed: Record<string, string> = {
  "{.metadata.name": "unclosed action at character 16 of {.metadata.name",
  "{.a[}": "unterminated array at character 4 of {.a[}",
  "{.a[x]}": "invalid array index x at character 4 of {.a[x]}",
  "{.a[1,y]}": "invalid array index y at character 4 of {.a[1,y]}",
  "{.a[-]}": "array index - is not a number at character 4 of {.a[-]}",
  "{.a[?(@.b==1)}": "unclosed array expect ] at character 14 of {.a[?(@.b==1)}",
  "{.a[?(@.b==1": "unterminated filter at character 4 of {.a[?(@.b==1",
  "{'abc}": "unterminated quoted string at character 2 of {'abc}",
  '{"\\q"}': 'unquote string "\\q" error invalid syntax at character 2 of {"\\q"}',
  '{"\\😀"}': 'unquote string "\\😀" error invalid syntax at character 2 of {"\\😀"}',
  '{"\\777"}': 'unquote string "\\777" error invalid syntax at character 2 of {"\\777"}',
  '{"\\ud800"}': 'unquote string "\\ud800" error invalid syntax at character 2 of {"\\ud800"}',
  '{"\\U00110000"}': 'unquote string "\\U00110000" error invalid syntax at character 2 of {"\\U00110000"}',
  "{....a}": "invalid multiple recursive descent at character 4 of {....a}",
  "{1.2.3}": "cannot parse number 1.2.3 at character 2 of {1.2.3}",
  "{.a #}": "unrecognized character in action: U+0023 '#' at character 5 of {.a #}",
  "x{end}": "not in range, nothing to end at character 2 of x{end}",
  "{range .a[*]}{.b}": "range without {end} at character 1 of {range .a[*]}{.b}",
};

for (const [template, message] of Object.entries(malformed)) {
  test(`${template} is refused`, () => assert.throws(() => parseJsonPathTemplate(template), { name: "Fault", message }));
}

const failing: Record<string, string> = {
  "{.absent}": "absent is not found",
  "{.spec.containers[5]}": "array index out of bounds: index 5, length 2",
  "{.spec.containers[0:9]}": "array index out of bounds: index 8, length 2",
  "{.status.conditions[2:1]}": "starting index 2 is greater than ending index 1",
  "{.status.conditions[0:2:0]}": "step must be > 0",
  "{.metadata[0]}": "map[string]interface {} is not array or slice",
  '{.metadata.labels[?(@.a=="b")]}': "map[app:web] is not array or slice and cannot be filtered",
  "{.status.conditions[?(@.type==1)]}": "incompatible types for comparison",
  '{.spec.containers[?(@.ports=="x")]}': "invalid type for comparison",
  '{.spec.containers[?(@.name=~"x")]}': "unrecognized character in action: U+007E '~'",
  "{.spec.containers[?(@.name=!'x')]}": "unrecognized filter operator =!",
  "{foo}": "unrecognized identifier foo",
};

for (const [template, message] of Object.entries(failing)) {
  test(`${template} fails`, () => {
    assert.throws(
      () => printJsonPath(template, object, { missing: "error" }),
      (error: Error) => error.name === "Fault" && error.message.startsWith(message),
    );
  });
}

test("any text is parsed or refused with a Fault", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    ".a",
    "[0]",
    "[?(",
    "@.b",
    "==",
    ")]",
    "'",
    '"',
    "..",
    "*",
    "range ",
    "end",
    ",",
    "\\",
    " ",
    "1",
    "-",
    "\n",
  );
  fc.assert(
    fc.property(fc.string({ unit: piece }), (text) => {
      for (const parse of [parseJsonPath, parseJsonPathTemplate]) {
        try {
          findValues(parse(text), { a: [{ b: 1 }] });
        } catch (error) {
          assert.equal((error as Error).name, "Fault", String(error));
        }
      }
    }),
    { numRuns: 500 },
  );
});
