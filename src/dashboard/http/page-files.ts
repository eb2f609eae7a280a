import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Answer, Headers } from "../../core/exchange/index.ts";

/** A file of the page. */
export type PageFile = { readonly name: string; readonly data: Uint8Array };

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

const encoders = {
  br: promisify(brotliCompress) as (data: Uint8Array, options: object) => Promise<Uint8Array>,
  gzip: promisify(gzip) as (data: Uint8Array, options: object) => Promise<Uint8Array>,
};
const encoderOptions = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, gzip: { level: 9 } };
type Encoding = keyof typeof encoders;

/** The files of the page. Each is compressed once, when it is first asked for. */
export class PageFiles {
  readonly #files: ReadonlyMap<string, PageFile>;
  readonly #encoded = new Map<string, Promise<Uint8Array>>();
  readonly #tags = new Map<string, string>();

  constructor(files: readonly PageFile[]) {
    this.#files = new Map(files.map((file) => [`/${file.name}`, file]));
  }

  /** The file at a path. What is no file is a view, which the page knows. */
  async answer(path: string, headers: Headers): Promise<Answer> {
    const file = this.#files.get(path) ?? (/\.\w+$/.test(path) ? undefined : this.#files.get("/index.html"));
    if (file === undefined) {
      const text = this.#files.size === 0 ? "there is no page: npm run build\n" : "there is no such file\n";
      return { status: 404, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }, body: [text] };
    }
    const encoding = encodingOf(headers["accept-encoding"] ?? "");
    const etag = `"${this.#tagOf(file)}${encoding === undefined ? "" : `-${encoding}`}"`;
    // The browser asks whether it is still the same: the next version of the program has files of the same names.
    const common = { etag, "cache-control": "no-cache", vary: "accept-encoding" };
    if (headers["if-none-match"]?.split(/\s*,\s*/).includes(etag) === true) return { status: 304, headers: common, body: [] };
    const type = types[file.name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    const data = encoding === undefined ? file.data : await this.#encode(file, encoding);
    return {
      status: 200,
      headers: {
        ...common,
        "content-type": type,
        "content-length": String(data.length),
        ...(encoding === undefined ? {} : { "content-encoding": encoding }),
      },
      body: [data],
    };
  }

  #encode(file: PageFile, encoding: Encoding): Promise<Uint8Array> {
    const key = `${encoding} ${file.name}`;
    const known = this.#encoded.get(key) ?? encoders[encoding](file.data, encoderOptions[encoding]);
    this.#encoded.set(key, known);
    return known;
  }

  #tagOf({ name, data }: PageFile): string {
    const known = this.#tags.get(name) ?? createHash("sha256").update(data).digest("base64url").slice(0, 22);
    this.#tags.set(name, known);
    return known;
  }
}

function encodingOf(accepted: string): Encoding | undefined {
  const names = accepted.split(",").flatMap((each) => (/;\s*q=0(\.0*)?\s*$/.test(each) ? [] : [each.split(";")[0]?.trim()]));
  return names.includes("br") ? "br" : names.includes("gzip") ? "gzip" : undefined;
}
