import { protobufKinds, protobufMessage } from "../data/index.ts";

/**
 * Letters of scalars: `s` string, `y` bytes, `b` bool, `n` int32, `l` int64, `f` double. Messages with a JSON form of their
 * own: `q` Quantity, `i` IntOrString, `t` Time, `u` MicroTime, `r` raw JSON, `w` a list of strings, `A` `B` `S` a JSON schema
 * or else an array of them, a bool, a list of strings. `@` is any other message.
 */
export type ValueLetter = "s" | "y" | "b" | "n" | "l" | "f" | "q" | "i" | "t" | "u" | "r" | "w" | "A" | "B" | "S" | "@";

/** A field of a message. `value`: it is always written, also when it is zero; `pointer`: it is written when there is one. */
export type MessageField = {
  /** Its JSON name; empty for an embedded message, whose fields are those of the object around it. */
  readonly name: string;
  /** How Go names it, and so messages about it. */
  readonly goName: string;
  readonly form: "value" | "pointer" | "list" | "map";
  readonly letter: ValueLetter;
  /** The wire type of one value, and of one entry of a map. */
  readonly wireType: number;
  /** What is written before one value: the number and the wire type. */
  readonly tag: number;
  /** The type of its values, if they are messages; of a map, the type of its entries, each with a `key` and a `value`. */
  readonly message: MessageType;
};

/** A message of the Kubernetes API: its fields in the order of their numbers, in which they are written. */
export type MessageType = {
  /** The name of the Go struct. */
  readonly name: string;
  readonly fields: readonly MessageField[];
  readonly byNumber: readonly (MessageField | undefined)[];
  /** An entry of a map, whose two fields Go reads without regard to their wire types. */
  readonly isEntry: boolean;
};

type OpenMessageType = MessageType & { readonly fields: MessageField[]; readonly byNumber: (MessageField | undefined)[] };

const linked = new Map<string, OpenMessageType>();

/** Kinds that belong to every group. */
const everyGroup = new Set(["DeleteOptions", "CreateOptions", "UpdateOptions", "PatchOptions", "GetOptions", "ListOptions"]);

/** The message of a kind; undefined when it is none of the built-in kinds, or one without protobuf. */
export function messageTypeOf(apiVersion: string, kind: string): MessageType | undefined {
  if (apiVersion === "meta.k8s.io/v1beta1" && oldMetadata[kind] !== undefined) return messageTypeNamed(oldMetadata[kind]);
  const kinds = protobufKinds();
  const key = `${everyGroup.has(kind) ? "v1" : apiVersion}/${kind}`;
  return Object.hasOwn(kinds, key) ? messageTypeNamed(kinds[key]!) : undefined;
}

/** What of the older version of the group of metadata is served. */
const oldMetadata: Readonly<Record<string, string>> = {
  PartialObjectMetadata: "meta/v1.PartialObjectMetadata",
  PartialObjectMetadataList: ".PartialObjectMetadataList",
};

type FieldEntry = readonly [number: number, name: string, code: string, goName?: string];

/** The message of this name, linked: the messages in its fields are resolved. */
function messageTypeNamed(name: string): MessageType {
  const known = linked.get(name);
  if (known !== undefined) return known;
  const type: OpenMessageType = { name: name.slice(name.indexOf(".") + 1), fields: [], byNumber: [], isEntry: false };
  // Registered before its fields are linked: messages may contain themselves.
  linked.set(name, type);
  for (const entry of special[name] ?? protobufMessage(name)) {
    const field = fieldOf(entry);
    type.byNumber[entry[0]] = field;
    type.fields.push(field);
  }
  return type;
}

const props = "@apiextensions/v1.JSONSchemaProps";

/** The messages of letters, whose fields `special-message.ts` fills and reads. */
const specialNames: Readonly<Partial<Record<ValueLetter, string>>> = {
  q: ".Quantity",
  i: ".IntOrString",
  t: ".Timestamp",
  u: ".Timestamp",
  r: ".RawExtension",
  w: ".ExtraValue",
  A: ".JSONSchemaPropsOrArray",
  B: ".JSONSchemaPropsOrBool",
  S: ".JSONSchemaPropsOrStringArray",
};

const special: Readonly<Record<string, readonly FieldEntry[]>> = {
  ".PartialObjectMetadataList": [
    [1, "items", "[]@meta/v1.PartialObjectMetadata"],
    [2, "metadata", "@meta/v1.ListMeta"],
  ],
  ".Quantity": [[1, "string", "s", "String_"]],
  ".IntOrString": [
    [1, "type", "l"],
    [2, "intVal", "n"],
    [3, "strVal", "s"],
  ],
  ".Timestamp": [
    [1, "seconds", "l"],
    [2, "nanos", "n"],
  ],
  ".RawExtension": [[1, "raw", "*s"]],
  ".ExtraValue": [[1, "items", "[]s"]],
  ".JSONSchemaPropsOrArray": [
    [1, "schema", `*${props}`],
    [2, "jSONSchemas", `[]${props}`, "JSONSchemas"],
  ],
  ".JSONSchemaPropsOrBool": [
    [1, "allows", "b"],
    [2, "schema", `*${props}`],
  ],
  ".JSONSchemaPropsOrStringArray": [
    [1, "schema", `*${props}`],
    [2, "property", "[]s"],
  ],
};

const none: MessageType = { name: "", fields: [], byNumber: [], isEntry: false };
const forms = { "*": "pointer", "[": "list", "{": "map" } as const;

function fieldOf([number, name, code, goName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`]: FieldEntry): MessageField {
  const mark = code.charAt(0);
  const form = mark === "*" || mark === "[" || mark === "{" ? forms[mark] : "value";
  const inner = code.slice(form === "value" ? 0 : form === "pointer" ? 1 : 2);
  const letter = inner.charAt(0) as ValueLetter;
  const wireType = form === "map" ? 2 : wireTypeOf(letter);
  const named = letter === "@" ? inner.slice(1) : specialNames[letter];
  const message = form === "map" ? entryOf(inner) : named === undefined ? none : messageTypeNamed(named);
  return { name, goName, form, letter, wireType, tag: number * 8 + wireType, message };
}

/** The message of an entry of a map. A value that is zero is there all the same. */
function entryOf(code: string): MessageType {
  const fields = [fieldOf([1, "key", "*s"]), fieldOf([2, "value", `*${code}`])];
  return { name: "Entry", fields, byNumber: [undefined, ...fields], isEntry: true };
}

function wireTypeOf(letter: ValueLetter): number {
  return letter === "b" || letter === "n" || letter === "l" ? 0 : letter === "f" ? 1 : 2;
}
