import assert from "node:assert/strict";
import { test } from "node:test";
import { isKubeObject } from "../../core/object/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";
import { contentHash, goMarshal } from "./hash.ts";

/** What the templates of seed 001 render to, as they stand before anything is added, and the hashes that it prints. */
const printed: Readonly<Record<string, string>> = {
  "sha256:8e7e0a7848eef3f75aed25d1136631dd58bdb9761709a9c46153bb5d04d69e8b": `
kind: NetworkPolicy
apiVersion: networking.k8s.io/v1
metadata:
  name: front-my-service
  namespace: default
spec:
  podSelector:
    matchLabels:

      app.kubernetes.io/name: MyApp

  ingress:
    - from:
      - podSelector:
          matchLabels:
            app: internal
      ports:
        - port: 80
`,
  "sha256:bc1e74450d20acedefca38f20cb998b7b24c12ac34e4b501d19b617568926140": `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ingress
  namespace: default
  annotations:
    nginx.ingress.kubernetes.io/rewrite-target: /
spec:
  ingressClassName: http-ingress
  rules:
    - http:
        paths:
        - path: /my-service
          pathType: Prefix
          backend:
            service:
              name: my-service
              port:
                number: 443
        - path: /my-service-2
          pathType: Prefix
          backend:
            service:
              name: my-service-2
              port:
                number: 8443
`,
};

for (const [hash, written] of Object.entries(printed)) {
  test(`the hash that seed 001 prints: ${hash.slice(0, 15)}`, () => {
    const object = readYaml(written, "seed 001");
    assert.ok(isKubeObject(object));
    assert.equal(contentHash(object), hash);
  });
}

test("JSON is written as Go writes it", () => {
  // encoding/json: keys by their bytes, also those that look like numbers; <, >, & and the line separators escaped.
  assert.equal(goMarshal({ b: 1, a: [true, null, "x"], 9: "", 10: {} }), '{"10":{},"9":"","a":[true,null,"x"],"b":1}');
  assert.equal(goMarshal("<a> & \u2028\n\t\b\f\u0001\u00e9"), String.raw`"\u003ca\u003e \u0026 \u2028\n\t\b\f\u0001é"`);
  assert.equal(goMarshal({ "\u{1f600}": 1, "\uffee": 2 }), '{"\uffee":2,"\u{1f600}":1}', "U+1F600 comes after U+FFEE in bytes");
  assert.equal(goMarshal({ gone: undefined, kept: 1e21, small: 1e-7, half: 0.5 }), '{"half":0.5,"kept":1e+21,"small":1e-7}');
  assert.equal(goMarshal({ big: readYaml("9007199254740993", "number") }), '{"big":9007199254740993}');
});
