/**
 * YAML as Kubernetes and Helm read and write it: sigs.k8s.io/yaml, which is go-yaml v2 with JSON's types, to the letter of
 * its messages and the byte of its output.
 *
 * Reads streams of documents and manifests with the positions that messages need, values into whatever maps its caller
 * wants, and the heads of manifests alone; writes as `kubectl -o yaml`, `toYaml` and `toYamlPretty` do. It takes and gives
 * text: it opens no file, knows no cluster and no kind but List.
 */
export { positionText, readDocuments, readYaml } from "./document.ts";
export { headOf, type ManifestHead } from "./head/manifest-head.ts";
export { readManifests, type LocatedManifest } from "./manifest.ts";
export { parseYaml } from "./parse/parse-yaml.ts";
export { type DecodeTarget } from "./parse/decode-target.ts";
export { unmarshalList, unmarshalMap } from "./unmarshal.ts";
export { type YamlView } from "./write/view.ts";
export { marshalPretty, marshalYaml, writeYaml } from "./write/emitter.ts";
export { YamlFault } from "./yaml-fault.ts";
