/** What is sent over a connection, piece by piece. */
export type RawRequest = {
  readonly name: string;
  readonly pieces: readonly (string | Buffer)[];
  /** The client closes its side after the last piece. Default false. */
  readonly halfClosed?: boolean;
  /** Sends no certificate. Default false. */
  readonly anonymous?: boolean;
  /** How many answers are to come. Default 1. */
  readonly answers?: number;
  /** Node's parser of HTTP refuses it, and the connection is closed, where Go's takes it or says more. Default false. */
  readonly refusedByParser?: boolean;
};

const host = "Host: localhost";
export const maps = "/api/v1/namespaces/default/configmaps";
/** Whatever else was done to a cluster, nothing is in it. */
const empty = "/api/v1/namespaces/nobody-makes-it/configmaps";

/** A request over HTTP/1.1 with these lines as headers, and with the length of its body. */
export function rawRequest(name: string, line: string, headers: readonly string[] = [], body: string | Buffer = ""): RawRequest {
  const length = body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [line, host, "Accept: application/json", ...headers, ...length].join("\r\n");
  return { name, pieces: [`${head}\r\n\r\n`, ...(body.length === 0 ? [] : [body])] };
}

const get = (path: string, ...headers: string[]) =>
  rawRequest(`GET ${path.slice(0, 60)} ${headers.join(" ").slice(0, 60)}`, `GET ${path} HTTP/1.1`, headers);
const post = (what: string, body: string | Buffer, type = "application/json", path = `${maps}?dryRun=All`) =>
  rawRequest(`POST ${what} (${type})`, `POST ${path} HTTP/1.1`, [`Content-Type: ${type}`], body);
const patch = (
  what: string,
  body: string | Buffer,
  type: string,
  path = `${maps}/kube-root-ca.crt?dryRun=All&fieldManager=wire&force=true`,
) => rawRequest(`PATCH ${what} (${type})`, `PATCH ${path} HTTP/1.1`, [`Content-Type: ${type}`], body);

const badText = Buffer.from([0x61, 0xff, 0xc3, 0x28]);
const around = (before: string, middle: Buffer, after: string) => Buffer.concat([Buffer.from(before), middle, Buffer.from(after)]);
const named = (name: Buffer) => around('{"metadata":{"name":"', name, '"}}');
const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth);
const withData = (text: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"wire"},"data":{"a":${text}}}`;

const paths = [
  "//api/v1/namespaces",
  "/api//v1/namespaces",
  "/api/v1//namespaces/default",
  "/api/v1/namespaces//default",
  "/api/v1/namespaces/default/",
  "/api/v1/namespaces/default//configmaps",
  "/api/v1/./namespaces",
  "/api/v1/../v1/namespaces/default",
  "/api/v1/namespaces/..",
  "/api/v1/namespaces/.",
  "/api/v1/namespaces/../../../../etc/passwd",
  "/..",
  "/api/v1/namespaces/default/pods/%2E%2E",
  "/api/v1/namespaces/default/pods/%2e",
  "/api/v1/%",
  "/api/v1/%zz",
  "/%",
  "/%ff",
  "/api/v1/namespaces/%ff",
  "/api/v1/%ff",
  "/api/v1/namespaces/a%2Fb",
  "/api%2Fv1/namespaces/default",
  "/api/v1/namespaces/nobody-makes-it%2Fconfigmaps",
  "/api/v1/namespaces/%00",
  "/%00",
  "/api/v1/namespaces/a%20b",
  "/api/v1/namespaces/a+b",
  "/api/v1/namespaces/%C3%BC",
  "/api/v1/namespaces/default/configmaps/%25",
  "/api/v1/namespaces/default/configmaps/a;b",
  "/api/v1/namespaces/default/configmaps/a:b",
  "/api/v1/namespaces/default/configmaps/a?b?c",
  "/api/v1/namespaces/default/configmaps#x",
  "/api/v1/namespaces/default/configmaps/x/y",
  "/api/v1/namespaces/default/configmaps/x/y/z/",
  "/api/v1/namespaces/default/nothing",
  "/api/v1/nothing/default",
  "/api/v1",
  "/api/v1/",
  "/api",
  "/api/",
  "/apis/apps",
  "/apis/apps/",
  "/apis/apps/v1/",
  "/apis/apps/v9",
  "/apis/nobody.example.com/v1/things",
  "/apis/nobody.example.com",
  "/APIs/apps/v1",
  "/api/v1/Namespaces",
  "/api/v2/namespaces",
  "/version/",
  "/version/x",
  "/healthz/",
  "/healthz/nothing",
  "/nothing",
  "/openapi/v3/nothing",
  "/openapi/v2/",
  "/metrics/",
  "/constructor",
  "/api/v1/constructor",
  "/api/v1/namespaces/__proto__",
  "/apis/__proto__/v1/x",
  `/api/v1/namespaces/${"a".repeat(3000)}`,
  `${maps}?labelSelector=%ff`,
  `${maps}?labelSelector=a%3D%ff`,
  `${empty}?labelSelector=%`,
  `${maps}?fieldSelector=metadata.name%3D%ff`,
  `${maps}?limit=%ff`,
  `${maps}?continue=%ff`,
  `${maps}?resourceVersion=%ff`,
  `${maps}?resourceVersion=-1`,
  `${maps}?resourceVersion=99999999999999999999`,
  `${empty}?&&&==&a=b=c&;`,
  `${maps}?watch=maybe&resourceVersion=x`,
  `${empty}?dryRun=x`,
  `${empty}?pretty=x&limit=1`,
  `${maps}/x?pretty=%ff`,
];

const accepts = [
  "",
  "nonsense",
  "*",
  "*/",
  "/",
  "text/html",
  "application/json;q=0",
  "application/json;q=x",
  "application/json;as=Nothing;g=x;v=y",
  "application/json;as=Table;g=meta.k8s.io;v=v9",
  "application/json;as=Table",
  "application/*",
  "application/xml, */*;q=0.1",
  ",,,",
  ";;;",
  "application/json;;;;=",
  "application/cbor",
  "application/yaml",
  "\xff\xfe",
  Array.from({ length: 2000 }, (_, index) => `a/b${index}`).join(","),
];

const types = [
  "",
  "nonsense",
  "application/",
  "text/plain",
  "application/json; charset=utf-8",
  "application/json; charset",
  "application/json;;",
  "APPLICATION/JSON",
  "application/cbor",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "*/*",
  "\xff",
  "application/vnd.kubernetes.protobuf",
  "application/apply-patch+yaml",
];

const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/apply-patch+cbor",
  "application/json",
  "",
];

const bodies: Readonly<Record<string, string | Buffer>> = {
  "an open brace": "{",
  "two values": "{}{}",
  "a value and text": '{"metadata":{"name":"x"}} x',
  "a trailing comma": '{"metadata":{"name":"x",}}',
  "a list": "[]",
  "a text": '"x"',
  "a number": "7",
  true: "true",
  null: "null",
  "nothing but space": "  ",
  NaN: withData("NaN"),
  "a control character": withData('"\u0001"'),
  "a bad escape": withData('"\\x"'),
  "half a surrogate": withData('"\\ud800"'),
  "a large number": withData("1e999"),
  "other case": '{"Metadata":{"NAME":"x"}}',
  "bytes that are no text in a name": named(badText),
  "bytes that are no text in a label": around('{"metadata":{"name":"x","labels":{"a":"', badText, '"}}}'),
  "bytes that are no text as a key": around('{"metadata":{"name":"x","labels":{"', badText, '":"b"}}}'),
  "bytes that are no text in data": around('{"metadata":{"name":"x"},"data":{"a":"', badText, '"}}'),
  "a byte order mark": Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"metadata":{"name":"x"}}')]),
  "UTF-16": Buffer.from('{"metadata":{"name":"x"}}', "utf16le"),
  "a zero byte": Buffer.from([0]),
  "lists 900 deep": withData(nested(900)),
  "lists 11,000 deep": withData(nested(11_000)),
  "objects 11,000 deep": nested(11_000, '{"a":', "}").replace("{}", "{1}"),
  __proto__: '{"__proto__":{"a":1},"metadata":{"name":"x","labels":{"__proto__":"a","constructor":"b"}},"data":{"__proto__":"x"}}',
  "YAML with an alias": "metadata: &a {name: x}\ndata: *a\n",
  "YAML with a tab": "metadata:\n\tname: x\n",
  "many YAML documents": "metadata: {name: x}\n---\nmetadata: {name: y}\n",
  "YAML with a merge key": "a: &a {name: x}\nmetadata: {<<: *a}\n",
  "YAML with a complex key": "? [a]\n: b\n",
};

const operations = (count: number) =>
  `[${Array.from({ length: count }, () => '{"op":"test","path":"/kind","value":"ConfigMap"}').join(",")}]`;

const patches: Readonly<Record<string, string>> = {
  "of an unknown operation": '[{"op":"x","path":"/a"}]',
  "without a path": '[{"op":"add"}]',
  "of a path without slash": '[{"op":"add","path":"a","value":1}]',
  "of a list that is a number": "[1]",
  "of null": "[null]",
  "of a far index": '[{"op":"add","path":"/metadata/ownerReferences/99","value":1}]',
  "of the whole": '[{"op":"replace","path":"","value":7}]',
  "that copies the whole": '[{"op":"copy","from":"","path":"/data"}]',
  "of 10,001 operations": operations(10_001),
  "that removes metadata": '[{"op":"remove","path":"/metadata"}]',
  "of ~2": '[{"op":"add","path":"/data/~2","value":"x"}]',
};

const protobuf = "application/vnd.kubernetes.protobuf";
const magic = Buffer.from("k8s\0");
const protobufs: Readonly<Record<string, Buffer>> = {
  "nothing but the magic": magic,
  "half of the magic": magic.subarray(0, 2),
  "a length without an end": Buffer.concat([magic, Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])]),
  "a group": Buffer.concat([magic, Buffer.from([0x0b])]),
  "a varint without an end": Buffer.concat([magic, Buffer.alloc(40, 0xff)]),
};

const large = (bytes: number) => Array.from({ length: bytes / 1000 }, (_, index) => `X-${index}: ${"a".repeat(992)}`);

const methods = ["HEAD", "OPTIONS", "TRACE", "PROPFIND", "LINK"];
const unknownMethods = ["CONNECT", "FOO", "get"];

/** Every one is answered by two servers alike, or both close the connection. */
export const rawRequests: readonly RawRequest[] = [
  ...paths.map((path) => get(path)),
  ...accepts.map((accept) => ({
    ...rawRequest(`Accept: ${accept.slice(0, 50)}`, `GET ${maps}/x HTTP/1.1`),
    pieces: [`GET ${maps}/x HTTP/1.1\r\n${host}\r\nAccept: ${accept}\r\n\r\n`].map((text) => Buffer.from(text, "latin1")),
  })),
  ...types.map((type) => post("a map", '{"metadata":{"name":"x"}}', type)),
  ...Object.entries(bodies).map(([what, body]) => post(what, body, what.includes("YAML") ? "application/yaml" : "application/json")),
  ...Object.entries(bodies).map(([what, body]) => post(what, body, "application/yaml")),
  ...Object.entries(protobufs).map(([what, body]) => post(what, body, protobuf)),
  ...patchTypes.flatMap((type) => Object.entries(bodies).map(([what, body]) => patch(what, body, type))),
  ...Object.entries(patches).map(([what, body]) => patch(what, body, "application/json-patch+json")),
  ...["{", "[]", "null", "7", '{"kind":"Pod"}', '{"propagationPolicy":"x"}', '{"gracePeriodSeconds":"x"}', '{"x":1}'].map((body) =>
    rawRequest(`DELETE with ${body}`, `DELETE ${maps}/kube-root-ca.crt?dryRun=All HTTP/1.1`, ["Content-Type: application/json"], body),
  ),
  ...methods.map((method) => rawRequest(`the method ${method}`, `${method} ${maps}/x HTTP/1.1`)),
  ...methods.map((method) => rawRequest(`the method ${method} of a collection`, `${method} ${maps} HTTP/1.1`)),
  ...methods.map((method) => rawRequest(`the method ${method} of /version`, `${method} /version HTTP/1.1`)),
  ...unknownMethods.map((method) => ({
    ...rawRequest(`the method ${method}`, `${method} ${maps}/x HTTP/1.1`),
    refusedByParser: true,
  })),
  ...["POST", "PUT", "PATCH", "DELETE"].flatMap((method) =>
    ["/version", "/api", "/healthz", "/apis/apps/v1", "/nothing", "/api/v1/namespaces/default/configmaps/x"].map((path) =>
      rawRequest(`${method} ${path}`, `${method} ${path} HTTP/1.1`, ["Content-Type: application/json"], "{}"),
    ),
  ),
  get("/version", ...large(60_000)),
  get("/version", ...large(500_000)),
  get("/version", `X-Long: ${"a".repeat(500_000)}`),
  get(`/version?${"a".repeat(60_000)}`),
  { name: "no host", pieces: ["GET /version HTTP/1.1\r\n\r\n"] },
  { name: "two hosts", pieces: ["GET /version HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"] },
  { name: "a bad host", pieces: ["GET /version HTTP/1.1\r\nHost: a b\r\n\r\n"] },
  { name: "HTTP/3.0", pieces: ["GET /version HTTP/3.0\r\nHost: x\r\n\r\n"] },
  { name: "an absolute address", pieces: ["GET https://example.com/version HTTP/1.1\r\nHost: x\r\n\r\n"] },
  { name: "an asterisk", pieces: ["OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"] },
  { name: "no slash", pieces: ["GET version HTTP/1.1\r\nHost: x\r\n\r\n"] },
  { name: "no HTTP", pieces: ["hello\r\n\r\n"] },
  { name: "lines without carriage returns", refusedByParser: true, pieces: ["GET /version HTTP/1.1\nHost: x\n\n"] },
  { name: "a header without colon", pieces: ["GET /version HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n"] },
  { name: "a header with a space", refusedByParser: true, pieces: ["GET /version HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n"] },
  { name: "a folded header", refusedByParser: true, pieces: ["GET /version HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n"] },
  { name: "two lengths", pieces: [`POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} `] },
  { name: "a length that is none", pieces: [`POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n{}`] },
  { name: "a negative length", pieces: [`POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\n{}`] },
  {
    name: "a length and chunks",
    refusedByParser: true,
    pieces: [
      `POST ${maps}?dryRun=All HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
  },
  {
    name: "a bad chunk",
    refusedByParser: true,
    pieces: [
      `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
  },
  { name: "an unknown coding", refusedByParser: true, pieces: [`POST ${maps} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n{}`] },
  {
    name: "trailers",
    pieces: [
      `POST ${maps}?dryRun=All HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n`,
    ],
  },
  { name: "three requests at once", pieces: [`GET /api/v1/namespaces/x HTTP/1.1\r\n${host}\r\n\r\n`.repeat(3)], answers: 3 },
  { name: "half a request and no more", pieces: [`GET /version HTTP/1.1\r\nHost: x\r\n`], halfClosed: true },
  { name: "an upgrade to nothing", pieces: ["GET /version HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: nothing\r\n\r\n"] },
  {
    name: "an upgrade to a websocket",
    pieces: [
      `GET ${maps}/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    ],
  },
  { name: "a bad token", pieces: [`GET ${maps}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\r\n\r\n`], anonymous: true },
  { name: "an empty token", pieces: [`GET ${maps}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \r\n\r\n`], anonymous: true },
  { name: "another scheme", pieces: [`GET ${maps}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YTpi\r\n\r\n`], anonymous: true },
  { name: "impersonation of nobody", pieces: [`GET ${maps}/x HTTP/1.1\r\nHost: x\r\nImpersonate-Group: x\r\n\r\n`] },
  {
    name: "impersonation of bytes",
    pieces: [Buffer.from(`GET ${maps}/x HTTP/1.1\r\nHost: x\r\nImpersonate-User: \xff\r\n\r\n`, "latin1")],
  },
  { name: "an Audit-Id of its own", pieces: [`GET ${maps}/x HTTP/1.1\r\nHost: x\r\nAudit-Id: mine\r\n\r\n`] },
];
