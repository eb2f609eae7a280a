import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { readTar } from "../../src/chart/tar.ts";

/** The files of a compressed archive. */
export function readTarGz(file: string): readonly { readonly name: string; readonly data: Uint8Array }[] {
  return [...readTar(gunzipSync(readFileSync(file)))];
}
