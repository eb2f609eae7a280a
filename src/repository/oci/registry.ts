import type { Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { stringsAt } from "../../core/object/index.ts";
import { maxChartBytes } from "../../chart/index.ts";
import { checkDigest, requireDigest, sha256 } from "../digest.ts";
import { sameOrigin, type HttpClient, type HttpClientResponse } from "../../http/index.ts";
import { maxProvenanceBytes } from "../provenance.ts";
import { registryFault } from "./registry-auth.ts";
import { acceptedManifests, chartLayerOf, mediaTypes, readManifest, type Descriptor } from "./oci-manifest.ts";
import { referenceText, type OciReference } from "./oci-reference.ts";

const maxManifestBytes = 4 * 2 ** 20;
/** All pages of tags together. A registry may link to further ones for ever. */
const maxTags = { bytes: 64 * 2 ** 20, pages: 1000, ms: 300_000 };
const maxManifests = 64;

type Fetched = { readonly bytes: Uint8Array; readonly contentType: string; readonly digest: string };

type RegistryOptions = {
  readonly registry: string;
  readonly isPlain: boolean;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
};

/** A chart, and its provenance file, which is fetched when it is asked for. */
type PulledChart = { readonly bytes: Uint8Array; readonly provenance: () => Promise<string> };

/** A client of one registry, over an authenticated HTTP client. Models the distribution specification */
export class Registry {
  readonly #http: HttpClient;
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #warn: (line: string) => void;

  constructor(http: HttpClient, { registry, isPlain, clock, warn }: RegistryOptions) {
    this.#http = http;
    this.#clock = clock;
    this.#origin = `${isPlain ? "http" : "https"}://${registry === "docker.io" ? "registry-1.docker.io" : registry}`;
    this.#warn = warn;
  }

  /** Lists all tags of a repository, page by page. */
  async tags({ registry, repository }: OciReference): Promise<readonly string[]> {
    const doing = `list the tags of ${registry}/${repository}`;
    const startedAt = this.#clock.now();
    let tags: readonly string[] = [];
    let left = maxTags.bytes;
    let url: string | undefined = `${this.#origin}/v2/${repository}/tags/list`;
    for (let page = 0; url !== undefined; page++) {
      const seconds = (this.#clock.now() - startedAt) / 1000;
      if (page === maxTags.pages || left <= 0 || seconds * 1000 > maxTags.ms)
        throw new Fault(doing, `there is no end of pages, after ${page} of them and ${Math.round(seconds)} s: say which version`, {
          final: true,
        });
      const answer: HttpClientResponse = await this.#http({ url, maxBytes: left });
      if (answer.status !== 200) throw registryFault(doing, answer);
      left -= answer.body.length;
      tags = [...tags, ...stringsAt(jsonIn(answer, doing), "tags")];
      url = nextPage(url, answer.headers["link"] ?? "");
    }
    return tags;
  }

  /** The digest of a tag. Undefined when there is no such tag. */
  async resolve(reference: OciReference): Promise<string | undefined> {
    const fetched = await this.#manifest(reference, reference.tag);
    return fetched?.digest;
  }

  /** Pulls a chart, by digest if the reference has one. */
  async pull(reference: OciReference): Promise<PulledChart> {
    const name = referenceText(reference);
    const manifest = await this.#manifest(reference, reference.digest || reference.tag);
    if (manifest === undefined) throw new Fault(`${name}: not found`, undefined, { final: true });
    const parts = await this.#partsOf(reference, manifest);
    const bytes = await this.#blob(reference, chartLayerOf(parts, this.#warn));
    const provenance = async () => {
      const layer = parts.find(({ mediaType }) => mediaType === mediaTypes.provenance);
      if (layer === undefined) throw new Fault(`${name} has no provenance file: it was pushed without one`, undefined, { final: true });
      if (layer.size > maxProvenanceBytes) throw new Fault(`${name}: its provenance file is too large`, undefined, { final: true });
      return textOf(await this.#blob(reference, layer));
    };
    return { bytes, provenance };
  }

  /** The parts of an artifact. For an index, those of all its manifests, because any of them may be the chart. */
  async #partsOf(reference: OciReference, { bytes, contentType }: Fetched): Promise<readonly Descriptor[]> {
    const name = referenceText(reference);
    const manifest = readManifest(textOf(bytes), contentType, name);
    if (manifest.kind === "artifact") return manifest.parts;
    if (manifest.manifests.length > maxManifests)
      throw new Fault(`${name}: it names ${manifest.manifests.length} manifests, more than a chart has`, undefined, { final: true });
    const all: Descriptor[] = [];
    for (const { digest } of manifest.manifests) {
      requireDigest(digest, `read ${name}`);
      const fetched = await this.#manifest(reference, digest);
      const inner = fetched === undefined ? undefined : readManifest(textOf(fetched.bytes), fetched.contentType, name);
      if (inner?.kind === "artifact") all.push(...inner.parts);
    }
    return all;
  }

  async #manifest(reference: OciReference, tagOrDigest: string): Promise<Fetched | undefined> {
    const name = referenceText(reference);
    const url = `${this.#origin}/v2/${reference.repository}/manifests/${tagOrDigest}`;
    const answer = await this.#http({ url, headers: { accept: acceptedManifests }, maxBytes: maxManifestBytes });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw registryFault(`read ${name}`, answer);
    const promised = tagOrDigest.includes(":") ? tagOrDigest : answer.headers["docker-content-digest"];
    if (promised !== undefined) checkDigest(answer.body, promised, `read ${name}`);
    const digest = promised ?? `sha256:${sha256(answer.body)}`;
    return { bytes: answer.body, contentType: answer.headers["content-type"] ?? "", digest };
  }

  async #blob(reference: OciReference, { digest, size }: Descriptor): Promise<Uint8Array> {
    const what = `read ${referenceText(reference)}`;
    requireDigest(digest, what);
    if (size > maxChartBytes) throw new Fault(what, `the chart is larger than the maximum size ${maxChartBytes}`, { final: true });
    const url = `${this.#origin}/v2/${reference.repository}/blobs/${digest}`;
    // The size is known: not one byte more is read.
    const answer = await this.#http({ url, maxBytes: Math.max(size, 64 * 2 ** 10) });
    if (answer.status !== 200) throw registryFault(`${what}: blob ${digest}`, answer);
    if (answer.body.length !== size)
      throw new Fault(what, `the chart has ${answer.body.length} bytes instead of the promised ${size}`, { final: true });
    checkDigest(answer.body, digest, what);
    return answer.body;
  }
}

/** Parses `</v2/x/tags/list?last=b&n=2>; rel="next"`. A link to another registry is ignored. */
function nextPage(url: string, link: string): string | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*rel="?next"?/.exec(link) ?? [];
  if (target === undefined || !URL.canParse(target, url)) return undefined;
  const next = new URL(target, url).href;
  return sameOrigin(url, next) && next !== url ? next : undefined;
}

function jsonIn({ body }: HttpClientResponse, doing: string): unknown {
  try {
    return JSON.parse(textOf(body));
  } catch {
    throw new Fault(doing, "the answer is no JSON: check that this is a registry", { final: true });
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
