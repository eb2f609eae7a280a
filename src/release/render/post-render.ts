import { BadInput, Fault, type Problem } from "../../core/fault/index.ts";
import { fieldsAt, isFields, type Fields } from "../../core/object/index.ts";
import { compareGoStrings } from "../../lang/template/index.ts";
import { readDocuments, writeYaml } from "../../lang/yaml/index.ts";
import { splitRenderedFile } from "./manifest/split-rendered-file.ts";

/** Maps all manifests of a chart, including hooks, to what is deployed instead. */
export type PostRender = (manifests: string) => Promise<string>;

/** Helm's annotation that keeps the file of a manifest across post-rendering. */
const fileAnnotation = "postrenderer.helm.sh/postrender-filename";

/** Runs a post-renderer on rendered files. Models helm pkg/action annotateAndMerge, splitAndDeannotate */
export async function applyPostRender(files: ReadonlyMap<string, string>, postRender: PostRender): Promise<ReadonlyMap<string, string>> {
  const given = [...files].toSorted(([a], [b]) => compareGoStrings(a, b)).flatMap(([file, text]) => annotated(file, text));
  return filesIn(await postRender(given.join("---\n")));
}

function annotated(file: string, text: string): readonly string[] {
  // Splits as Helm does: a separator needs no line end.
  const parts = splitRenderedFile(text, 4);
  return parts.flatMap((part) => documentsIn(part, file).map((document) => writeYaml(withFile(document, file))));
}

function filesIn(text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [index, document] of documentsIn(text, "the post-renderer's output").entries()) {
    const { [fileAnnotation]: file = `generated-by-postrender-${index}.yaml`, ...annotations } = fieldsAt(document, "metadata.annotations");
    const before = files.get(String(file));
    const own = writeYaml(withAnnotations(document, annotations));
    files.set(String(file), before === undefined ? own : `${before}---\n${own}`);
  }
  return files;
}

function documentsIn(text: string, file: string): readonly Fields[] {
  const { documents, problems } = readDocuments(text, file, { duplicateKeys: "last wins" });
  const odd = documents.filter(({ value }) => value !== null && !isFields(value));
  const all: Problem[] = [...problems, ...odd.map(({ at }) => ({ at: `${at.file}:${at.line}`, message: "expected a Kubernetes object" }))];
  if (all.length > 0) throw new Fault("error while parsing post rendered output", new BadInput(all), { final: true });
  return documents.map(({ value }) => value).filter(isFields);
}

function withFile(document: Fields, file: string): Fields {
  return withAnnotations(document, { ...fieldsAt(document, "metadata.annotations"), [fileAnnotation]: file });
}

function withAnnotations(document: Fields, annotations: Fields): Fields {
  const { annotations: _before, ...metadata } = fieldsAt(document, "metadata");
  return { ...document, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}
