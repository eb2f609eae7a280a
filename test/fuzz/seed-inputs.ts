/** What several targets begin with. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const words = (text: string): readonly string[] => text.split(" ");

const root = join(import.meta.dirname, "..", "..");

export function filesAt(pattern: string, most: number): readonly string[] {
  const files = globSync(join(root, pattern)).toSorted();
  return files.slice(0, most).map((file) => readFileSync(file, "utf8").slice(0, 4096));
}

export const manifests = [...filesAt("examples/**/*.yaml", 60), "a: &a [1, 2]\nb: *a\n? c\n: |+\n  text\n\nd: !!str 1\n"];
export const yamlTokens = words(
  "--- ... : - ? | |- > >+ & * !! !!str !!binary ! % @ ` # ' \" [ ] { } , << ~ null 0x1 1e3 .inf 2001-01-01 <<:",
);
export const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "a", labels: { a: "b" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};
export const configMap = JSON.stringify({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default" },
  data: { a: "b" },
});

/** What these refuse is told by plain errors, which their callers word. */
export function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    return undefined;
  }
}
