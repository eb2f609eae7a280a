/** Documents that users write: selectors, annotations, schemas, patches, charts, kubeconfigs. */
import { loadArchive, parseHelmIgnore, pathMatcher, readValues } from "../../src/chart/index.ts";
import { parseInto, parseIntoString, parseJsonInto, parseLiteralInto } from "../../src/chart/strvals/index.ts";
import { schemaViolation } from "../../src/chart/schema/index.ts";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  freePatchSchema,
  isFields,
  parseFieldSelector,
  parseLabelSelector,
  parsePath,
} from "../../src/core/object/index.ts";
import { readKubeconfig } from "../../src/kube/config/kubeconfig.ts";
import { parseCertificateRequest } from "../../src/lang/x509/index.ts";
import { readAnnotations } from "../../src/release/order/read-annotations.ts";
import { packagedChart } from "../support/chart/packaged-chart.ts";
import { bytesOf, type FuzzTarget } from "./fuzz-target.ts";
import { attempt, pod, words, yamlTokens } from "./seed-inputs.ts";

function json(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

const chart = (files: Readonly<Record<string, string>>) => Buffer.from(packagedChart(files)).toString("latin1");
const sample = {
  "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n",
  "c/values.yaml": "a: 1\n",
  "c/templates/a.yaml": "a: {{ .Values.a }}",
};

export const documentTargets: Readonly<Record<string, FuzzTarget>> = {
  selectors: {
    seeds: ["a=b,c!=d,e in (f,g),!h,i notin (j),k", "metadata.name=a,spec.nodeName!=b", "x.io/y>1,z<2", "spec.containers[0].image"],
    tokens: words("= == != in notin ( ) , ! a > < / exists \\, . [0]"),
    run: (input) => {
      for (const parse of [parseLabelSelector, parseFieldSelector, parsePath]) attempt(() => parse(input));
    },
  },
  annotations: {
    seeds: [
      "helm.sh/hook=pre-install,post-upgrade\nhelm.sh/hook-weight=-5\nhelm.sh/hook-delete-policy=before-hook-creation",
      "werf.io/weight=10\nwerf.io/a.external-dependency.resource=deploy/x\nwerf.io/deploy-dependency-a=state=ready,kind=Job,name=b",
      "kots.io/creation-phase=1\nkots.io/wait-for-ready=true\nkots.io/wait-for-properties=.status.phase=Ready,.a.b=1",
      "sluice.dev/needs=a\nwerf.io/track-termination-mode=NonBlocking\nwerf.io/failures-allowed-per-replica=2\nwerf.io/no-activity-timeout=5m",
    ],
    tokens: words(
      "helm.sh/hook helm.sh/ werf.io/ werf.io/weight werf.io/dependency- kots.io/ sluice.dev/ = \n , -1 state=present kind= name= 1h true",
    ),
    run: (input) => {
      const annotations = Object.fromEntries(input.split("\n").map((line) => [line.split("=")[0]!, line.slice(line.indexOf("=") + 1)]));
      const at = { file: "f", line: 1 };
      const manifest = { object: { ...pod, metadata: { ...pod.metadata, annotations } }, at, positionOf: () => at };
      return readAnnotations(manifest, { problems: [], warnings: [] });
    },
  },
  schema: {
    seeds: [
      JSON.stringify({
        type: "object",
        properties: { a: { type: "object", required: ["b"], properties: { b: { pattern: "^c$", minLength: 1 } } } },
      }),
      JSON.stringify({
        $ref: "#/definitions/x",
        definitions: { x: { allOf: [{ $ref: "#/definitions/y" }], not: {} }, y: { enum: [1, "a", null], format: "date" } },
      }),
      JSON.stringify({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $defs: { a: { $anchor: "x" } },
        if: { const: 1 },
        not: { const: 2 },
        else: { $ref: "#x" },
        unevaluatedProperties: false,
        dependentRequired: { a: ["b"] },
      }),
    ],
    tokens: words(
      '"$ref": "#" "#/definitions/x" "type": "allOf":[ "pattern":"(" "$id":"http://a/" "$dynamicRef":"#a" { } [ ] , "uniqueItems":true "items": "format":"regex" "minimum":1e400 "multipleOf":0',
    ),
    run: (input) => schemaViolation(Buffer.from(input), readValues("a: {b: c}"), () => {}),
  },
  patches: {
    seeds: [
      JSON.stringify([
        { op: "add", path: "/metadata/labels/x~1y", value: 1 },
        { op: "copy", from: "/spec", path: "/a" },
        { op: "test", path: "/kind", value: "Pod" },
      ]),
      JSON.stringify([
        { op: "move", from: "/spec/containers/0", path: "/spec/containers/-" },
        { op: "remove", path: "/metadata/labels" },
        { op: "replace", path: "", value: {} },
      ]),
      JSON.stringify({
        metadata: { labels: { a: null } },
        spec: {
          $patch: "replace",
          containers: [{ $patch: "delete", name: "c" }],
          $setElementOrder: [1],
          "$deleteFromPrimitiveList/x": [1],
          $retainKeys: ["a"],
        },
      }),
    ],
    tokens: words('{"op":"add", "path":"/ "from": "value": /- /0 /-1 ~0 ~1 ~2 null "$patch":"merge" "$patch":"x" [ ] { } ,'),
    run: (input) => {
      const patch = json(input);
      if (patch === undefined) return;
      applyMergePatch(pod, patch);
      for (const apply of [() => applyJsonPatch(pod, patch), () => isFields(patch) && applyStrategicPatch(pod, patch, freePatchSchema)])
        attempt(apply);
    },
  },
  archive: {
    seeds: [
      chart(sample),
      chart({ ...sample, "c/charts/d/Chart.yaml": "name: d\nversion: 1.0.0\napiVersion: v1\n", "c/requirements.yaml": "dependencies: []" }),
    ],
    tokens: words("\x1f\x8b\x08 \0 \xff\xff\xff\xff ../ / ustar \x03\0"),
    run: (input) => loadArchive(bytesOf(input)),
  },
  "chart-files": {
    seeds: Object.values(sample),
    tokens: [...words("name version dependencies repository condition alias import-values \n"), ...yamlTokens, "apiVersion: v1", "  "],
    run: (input) => {
      readValues(input);
      return loadArchive(packagedChart({ ...sample, "c/Chart.yaml": `${sample["c/Chart.yaml"]}${input}`, "c/Chart.lock": input }));
    },
  },
  helmignore: {
    seeds: ["*.tmp\n!keep.tmp\n/dir/\n# c\n[a-z]?.txt\n"],
    tokens: words("* ** ? [ ] [^ ! / \\ \n - a"),
    run: (input) => {
      const ignores = parseHelmIgnore(input);
      pathMatcher(input)("a/b/c.txt");
      return [ignores("a/b.txt", false), ignores("dir", true)];
    },
  },
  set: {
    seeds: ["a.b[0].c=1,d={e,f},g=null", "a\\.b=c", '{"a":[1]}', "a[2]=x,a[0].b=y"],
    tokens: words("= , . [ ] { } \\ [0] [65537] [-1] null true 1e9 a"),
    run: (input) => {
      for (const parse of [parseInto, parseIntoString, parseLiteralInto, parseJsonInto]) parse(readValues("a: b"), input);
    },
  },
  kubeconfig: {
    seeds: [
      "apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: a, cluster: {server: https://x, certificate-authority-data: YQ==}}]\nusers: [{name: a, user: {token: x, exec: {command: y}}}]\ncontexts: [{name: a, context: {cluster: a, user: a, namespace: n}}]\n",
    ],
    tokens: [...words("clusters users contexts server proxy-url tokenFile as-user-extra null [] {}"), ...yamlTokens],
    run: (input) => readKubeconfig(input, "f"),
  },
  "certificate-request": {
    seeds: ["-----BEGIN CERTIFICATE REQUEST-----\nMIIBUTCB+AIBADA0MQ==\n-----END CERTIFICATE REQUEST-----\n"],
    tokens: [...words("\n MII = AAAA"), "-----BEGIN ", "-----END ", "CERTIFICATE REQUEST-----"],
    run: parseCertificateRequest,
  },
};
