/**
 * YAML as Kubernetes reads and writes it: sigs.k8s.io/yaml, which is go-yaml v2 with JSON's types.
 *
 * Reads streams of documents and manifests with the positions that messages need, and writes as `kubectl -o yaml` does.
 * It takes and gives text: it opens no file, knows no cluster and no kind but List.
 */
export { positionText, readDocuments, readYaml, type Document, type Position, type ReadOptions } from "./document.ts";
export { readManifests, type Manifest } from "./manifest.ts";
export { writeYaml } from "./write/write.ts";
