import { readBundledFolder } from "./bundled-files.ts";

/** The files of the dashboard's page: they lie beside the program; from source, in what was built last. */
export function readPage() {
  const files = readBundledFolder("page");
  return files.length > 0 ? files : readBundledFolder("dist/page");
}
