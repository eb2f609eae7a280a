import { fromPlain, type GoValue } from "../../lang/template/index.ts";

/*
 * The metaschemas, built from the parts that the drafts share. Their nesting decides the nesting of messages, so parts that a
 * draft keeps separate are separate here.
 */

type Plain = Readonly<Record<string, unknown>>;

const [text, flag, number] = [{ type: "string" }, { type: "boolean" }, { type: "number" }];
const reference = { type: "string", format: "uri-reference" };
const address = { type: "string", format: "uri" };
const regex = { type: "string", format: "regex" };
const simpleTypes = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] };
const count = { type: "integer", minimum: 0 };
const uniqueTexts = { type: "array", items: text, uniqueItems: true };

function mapOf(schema: Plain, more: Plain = {}): Plain {
  return { type: "object", additionalProperties: schema, ...more };
}

function each(keywords: readonly string[], schema: unknown): Plain {
  return Object.fromEntries(keywords.map((keyword) => [keyword, schema]));
}

/** One type or several. `at` is the path of the type names. */
function typeKeyword(at: string): Plain {
  const name = { $ref: `${at}/simpleTypes` };
  return { anyOf: [name, { type: "array", items: name, minItems: 1, uniqueItems: true }] };
}

const most = ["maxLength", "maxItems", "maxProperties"];
const least = ["minLength", "minItems", "minProperties"];
const combining = ["allOf", "anyOf", "oneOf"];

/** The drafts that consist of one document. */
function singleDocument(version: 4 | 6 | 7): Plain {
  const self = { $ref: "#" };
  const at = "#/definitions";
  const [counter, counterOrNone] =
    version === 4 ? ["positiveInteger", "positiveIntegerDefault0"] : ["nonNegativeInteger", "nonNegativeIntegerDefault0"];
  const schemaOrFlag = version === 4 ? { anyOf: [flag, self] } : self;
  return {
    $schema: `http://json-schema.org/draft-0${version}/schema#`,
    definitions: {
      schemaArray: { type: "array", minItems: 1, items: self },
      [counter!]: count,
      [counterOrNone!]: { allOf: [{ $ref: `${at}/${counter}` }, { default: 0 }] },
      simpleTypes,
      stringArray: version === 4 ? { ...uniqueTexts, minItems: 1 } : uniqueTexts,
    },
    type: version === 4 ? "object" : ["object", "boolean"],
    properties: {
      ...(version === 4 ? { id: text, $ref: text } : { $id: reference, $ref: reference }),
      $schema: address,
      ...each(["title", "description", "format"], text),
      multipleOf: version === 4 ? { ...number, minimum: 0, exclusiveMinimum: true } : { ...number, exclusiveMinimum: 0 },
      ...each(["maximum", "minimum"], number),
      ...each(["exclusiveMaximum", "exclusiveMinimum"], version === 4 ? flag : number),
      ...each(most, { $ref: `${at}/${counter}` }),
      ...each(least, { $ref: `${at}/${counterOrNone}` }),
      pattern: regex,
      ...each(["additionalItems", "additionalProperties"], schemaOrFlag),
      items: { anyOf: [self, { $ref: `${at}/schemaArray` }] },
      uniqueItems: flag,
      required: { $ref: `${at}/stringArray` },
      ...each(["definitions", "properties"], mapOf(self)),
      patternProperties: mapOf(self, version === 7 ? { propertyNames: { format: "regex" } } : {}),
      dependencies: mapOf({ anyOf: [self, { $ref: `${at}/stringArray` }] }),
      enum: { type: "array", minItems: 1, uniqueItems: true },
      type: typeKeyword(at),
      ...each(combining, { $ref: `${at}/schemaArray` }),
      not: self,
      ...(version === 4 ? {} : each(["contains", "propertyNames"], self)),
      ...(version === 7
        ? {
            ...each(["$comment", "contentMediaType", "contentEncoding"], text),
            ...each(["readOnly", "writeOnly"], flag),
            examples: { type: "array" },
            ...each(["if", "then", "else"], self),
          }
        : {}),
    },
    ...(version === 4 ? { dependencies: { exclusiveMaximum: ["maximum"], exclusiveMinimum: ["minimum"] } } : {}),
  };
}

/** The drafts that consist of vocabularies. */
function vocabularies(version: 2019 | 2020): Readonly<Record<string, Plain>> {
  const home = version === 2019 ? "https://json-schema.org/draft/2019-09/" : "https://json-schema.org/draft/2020-12/";
  const self = version === 2019 ? { $recursiveRef: "#" } : { $dynamicRef: "#meta" };
  const anchor = version === 2019 ? { $recursiveAnchor: true } : { $dynamicAnchor: "meta" };
  const document = (path: string, content: Plain): readonly [string, Plain] => [
    home + path,
    { $schema: `${home}schema`, $id: home + path, ...anchor, type: ["object", "boolean"], ...content },
  ];
  const parts = {
    core: core(version, self),
    applicator: applicator(version, self),
    ...unevaluated(version, self),
    ...sharedParts(version, self),
  };
  return Object.fromEntries([
    document("schema", {
      allOf: Object.keys(parts).map((name) => ({ $ref: `meta/${name}` })),
      properties: {
        definitions: mapOf(self),
        dependencies: mapOf({ anyOf: [self, { $ref: "meta/validation#/$defs/stringArray" }] }),
        ...(version === 2019
          ? {}
          : {
              $recursiveAnchor: { $ref: "meta/core#/$defs/anchorString" },
              $recursiveRef: { $ref: "meta/core#/$defs/uriReferenceString" },
            }),
      },
    }),
    ...Object.entries(parts).map(([name, content]) => document(`meta/${name}`, content)),
  ]);
}

function core(version: 2019 | 2020, self: Plain): Plain {
  const withoutFragment = { pattern: "^[^#]*#?$" };
  if (version === 2019) {
    return {
      properties: {
        $id: { ...reference, ...withoutFragment },
        $schema: address,
        $anchor: { ...text, pattern: "^[A-Za-z][-A-Za-z0-9.:_]*$" },
        ...each(["$ref", "$recursiveRef"], reference),
        $recursiveAnchor: flag,
        $vocabulary: mapOf(flag, { propertyNames: address }),
        $comment: text,
        $defs: mapOf(self),
      },
    };
  }
  const [toReference, toAddress, toAnchor] = ["uriReferenceString", "uriString", "anchorString"].map((name) => ({
    $ref: `#/$defs/${name}`,
  }));
  return {
    properties: {
      $id: { ...toReference, ...withoutFragment },
      $schema: toAddress,
      ...each(["$ref", "$dynamicRef"], toReference),
      ...each(["$anchor", "$dynamicAnchor"], toAnchor),
      $vocabulary: mapOf(flag, { propertyNames: toAddress }),
      $comment: text,
      $defs: mapOf(self),
    },
    $defs: { anchorString: { ...text, pattern: "^[A-Za-z_][-A-Za-z0-9._]*$" }, uriString: address, uriReferenceString: reference },
  };
}

function applicator(version: 2019 | 2020, self: Plain): Plain {
  const list = { $ref: "#/$defs/schemaArray" };
  return {
    properties: {
      ...(version === 2019
        ? { ...each(["additionalItems", "unevaluatedItems", "unevaluatedProperties"], self), items: { anyOf: [self, list] } }
        : { prefixItems: list, items: self }),
      ...each(["contains", "additionalProperties", "propertyNames", "if", "then", "else", "not"], self),
      ...each(["properties", "dependentSchemas"], mapOf(self)),
      patternProperties: mapOf(self, { propertyNames: { format: "regex" } }),
      ...each(combining, list),
    },
    $defs: { schemaArray: { type: "array", minItems: 1, items: self } },
  };
}

function unevaluated(version: 2019 | 2020, self: Plain): Readonly<Record<string, Plain>> {
  return version === 2019 ? {} : { unevaluated: { properties: each(["unevaluatedItems", "unevaluatedProperties"], self) } };
}

function sharedParts(version: 2019 | 2020, self: Plain): Readonly<Record<string, Plain>> {
  const at = "#/$defs";
  const counter = { $ref: `${at}/nonNegativeInteger` };
  return {
    validation: {
      properties: {
        type: typeKeyword(at),
        enum: { type: "array" },
        multipleOf: { ...number, exclusiveMinimum: 0 },
        ...each(["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"], number),
        ...each([...most, "maxContains", "minContains"], counter),
        ...each(least, { $ref: `${at}/nonNegativeIntegerDefault0` }),
        pattern: regex,
        uniqueItems: flag,
        required: { $ref: `${at}/stringArray` },
        dependentRequired: mapOf({ $ref: `${at}/stringArray` }),
      },
      $defs: { nonNegativeInteger: count, nonNegativeIntegerDefault0: { ...counter, default: 0 }, simpleTypes, stringArray: uniqueTexts },
    },
    "meta-data": {
      properties: {
        ...each(["title", "description"], text),
        ...each(["deprecated", "readOnly", "writeOnly"], flag),
        examples: { type: "array" },
      },
    },
    [version === 2019 ? "format" : "format-annotation"]: { properties: { format: text } },
    content: { properties: { ...each(["contentEncoding", "contentMediaType"], text), contentSchema: self } },
  };
}

/** A document of json-schema.org by its URL, with http or https. Undefined when there is none. */
export function metaschemaAt(url: string): GoValue {
  const path = url.replace(/^https?:\/\/json-schema\.org\//, "");
  if (path === url) return undefined;
  const [, old] = /^draft-0([467])\/schema$/.exec(path) ?? [];
  if (old !== undefined) return fromPlain(singleDocument(old === "4" ? 4 : old === "6" ? 6 : 7));
  const secure = `https://json-schema.org/${path === "schema" ? "draft/2020-12/schema" : path}`;
  const found = path.startsWith("draft/2019-09/") ? vocabularies(2019)[secure] : vocabularies(2020)[secure];
  return found === undefined ? undefined : fromPlain(found);
}
