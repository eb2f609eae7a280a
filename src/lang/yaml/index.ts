/**
 * YAML as Kubernetes and Helm read and write it: sigs.k8s.io/yaml, which is go-yaml v2 with JSON's types. Messages and output
 * match byte for byte.
 *
 * Reads streams of documents and manifests with positions for messages, values into maps of the caller's choice, and the heads of
 * manifests alone. Writes as `kubectl -o yaml`, `toYaml` and `toYamlPretty` do. It works on text: it opens no file and knows no
 * cluster, and no kind but List.
 */
export { positionText, readDocuments, readYaml } from "./document.ts";
export { headOf, type ManifestHead } from "./head/manifest-head.ts";
export { joinManifests, type LoadedManifests } from "./loaded-manifests.ts";
export { readManifests, type InvalidManifests, type LocatedManifest } from "./manifest.ts";
export { receivedManifests, sentManifests, type SentManifest } from "./sent-manifest.ts";
export { parseYaml } from "./parse/parse-yaml.ts";
export { type DecodeTarget } from "./parse/decode-target.ts";
export { unmarshalList, unmarshalMap } from "./unmarshal.ts";
export { jsonView, PlainScalar, type YamlView } from "./write/view.ts";
export { marshalPretty, marshalYaml, writeYaml } from "./write/emitter.ts";
export { YamlFault } from "./yaml-fault.ts";
