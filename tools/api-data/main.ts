/**
 * Makes the files of src/embedded/data from the Kubernetes modules: discovery, compact schemas, structured-merge-diff types,
 * protobuf messages, the columns of tables and the published OpenAPI documents. Run by `npm run data`; needs a Go toolchain to
 * fetch the modules with.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordedBootstrapObjects } from "./bootstrap-objects.ts";
import { bootstrapPolicyOf } from "./bootstrap-policy.ts";
import { discoveryOf } from "./discovery.ts";
import { enumsOf } from "./enums.ts";
import { goFieldsOf } from "./go-fields.ts";
import { indexedLines } from "./indexed-lines.ts";
import { mergeTypesOf } from "./merge-types.ts";
import { clientGoVersion, kubernetesVersion, moduleFolder } from "./modules.ts";
import { documentsOf, type OpenApiDocument } from "./openapi.ts";
import { openApiV2Of } from "./openapi-v2.ts";
import { pack } from "./pack.ts";
import { protobufTablesOf } from "./protobuf.ts";
import { compactSchemas, kindsOf, withGoFields } from "./schemas.ts";
import { tableColumnsOf } from "./table-columns.ts";

const target = join(import.meta.dirname, "../../src/embedded/data");

function write(name: string, bytes: Buffer | string): void {
  writeFileSync(join(target, name), bytes);
  process.stdout.write(`${name}: ${Buffer.byteLength(bytes)} bytes\n`);
}

/** Writes all documents into one file with their offsets. The hash is part of the index that clients read. */
function writeDocuments(documents: ReadonlyMap<string, OpenApiDocument>): void {
  const index: Record<string, { offset: number; length: number; hash: string }> = {};
  const parts: Buffer[] = [];
  let offset = 0;
  for (const [path, document] of documents) {
    const text = JSON.stringify(document);
    const part = pack(text);
    index[path] = { offset, length: part.length, hash: createHash("sha512").update(text).digest("hex").toUpperCase() };
    parts.push(part);
    offset += part.length;
  }
  write("openapi.pack", Buffer.concat(parts));
  write("openapi.index.json.br", pack(JSON.stringify(index)));
}

const kubernetes = moduleFolder("k8s.io/kubernetes", kubernetesVersion);
const clientGo = moduleFolder("k8s.io/client-go", clientGoVersion);
const staging = ["api", "apimachinery", "apiserver", "kube-aggregator"].map((name) => `k8s.io/${name}`);
const modules = {
  "k8s.io/kubernetes": kubernetes,
  ...Object.fromEntries(staging.map((path) => [path, moduleFolder(path, clientGoVersion)])),
};
const goFields = goFieldsOf(moduleFolder("k8s.io/api", clientGoVersion), moduleFolder("k8s.io/apimachinery", clientGoVersion));
const groups = discoveryOf(kubernetes);
const enums = enumsOf(kubernetes);
const documents = documentsOf(kubernetes, enums, new Set(groups.map((group) => group.name)));
const schemas = withGoFields(compactSchemas(documents.values()), goFields);

write("discovery.json.br", pack(JSON.stringify(groups)));
const kinds = new Set(groups.flatMap((group) => group.versions.flatMap(({ resources }) => resources.map(({ kind }) => kind))));
write("table-columns.json.br", pack(JSON.stringify(tableColumnsOf(modules, kinds))));
write("bootstrap-policy.json.br", pack(JSON.stringify(bootstrapPolicyOf(kubernetes))));
write("bootstrap-objects.json.br", pack(JSON.stringify(recordedBootstrapObjects())));
write("schemas.br", pack(indexedLines(kindsOf(schemas), schemas)));
write("merge-types.br", pack(indexedLines({}, mergeTypesOf(clientGo, schemas))));
const protobuf = protobufTablesOf({
  api: moduleFolder("k8s.io/api", clientGoVersion),
  apimachinery: moduleFolder("k8s.io/apimachinery", clientGoVersion),
  extensions: moduleFolder("k8s.io/apiextensions-apiserver", clientGoVersion),
  aggregator: moduleFolder("k8s.io/kube-aggregator", clientGoVersion),
});
write("protobuf.br", pack(indexedLines(protobuf.kinds, protobuf.messages)));
writeDocuments(documents);
write("openapi-v2.json.br", pack(JSON.stringify(openApiV2Of(kubernetes, enums, groups))));
