import { createHash } from "node:crypto";
import type { Architecture } from "./node-binary.ts";
import { user } from "./image-files.ts";
import { gzip, writeTar, withFolders, type Entry } from "./write-tar.ts";

/** The image for one kind of machine: its layers, the lowest first. */
type PlatformImage = { readonly architecture: Architecture; readonly layers: readonly (readonly Entry[])[] };

export type ImageName = {
  readonly repository: string;
  readonly tag: string;
  readonly version: string;
  readonly commit: string | undefined;
  readonly seconds: number;
};

type Descriptor = { readonly mediaType: string; readonly digest: string; readonly size: number };

const type = (name: string) => `application/vnd.oci.image.${name}`;
const goNames: Readonly<Record<Architecture, string>> = { x64: "amd64", arm64: "arm64" };

/** Where the program is in the image. */
export const programFile = "usr/local/bin/sluice";

/** The tag that an image of a version has: tags may not have a plus in them. The chart does the same. */
export function tagOf(version: string): string {
  return version.replaceAll("+", "_");
}

/** An image for several kinds of machines as one archive. Models the OCI image layout, version 1.0.0 */
export function imageArchive(images: readonly PlatformImage[], name: ImageName): Buffer {
  const blobs = new Map<string, Buffer>();
  const keep = (mediaType: string, data: Buffer): Descriptor => {
    const digest = createHash("sha256").update(data).digest("hex");
    blobs.set(digest, data);
    return { mediaType, digest: `sha256:${digest}`, size: data.length };
  };
  const manifests = images.map((image) => ({
    ...keepImage(image, name, keep),
    platform: { architecture: goNames[image.architecture], os: "linux" },
  }));
  const annotations = { "org.opencontainers.image.ref.name": name.tag, "io.containerd.image.name": `${name.repository}:${name.tag}` };
  const whole = keep(type("index.v1+json"), json({ schemaVersion: 2, mediaType: type("index.v1+json"), manifests }));
  const index = { schemaVersion: 2, mediaType: type("index.v1+json"), manifests: [{ ...whole, annotations }] };
  const entries: readonly Entry[] = [
    { name: "oci-layout", data: json({ imageLayoutVersion: "1.0.0" }) },
    { name: "index.json", data: json(index) },
    ...[...blobs].map(([digest, data]) => ({ name: `blobs/sha256/${digest}`, data })),
  ];
  return writeTar(withFolders(entries), name.seconds);
}

function keepImage(
  { architecture, layers }: PlatformImage,
  name: ImageName,
  keep: (mediaType: string, data: Buffer) => Descriptor,
): Descriptor {
  const archives = layers.map((entries) => writeTar(withFolders(entries), name.seconds));
  const created = new Date(name.seconds * 1000).toISOString();
  const labels = {
    "org.opencontainers.image.title": "sluice",
    "org.opencontainers.image.version": name.version,
    "org.opencontainers.image.licenses": "Apache-2.0",
    ...(name.commit === undefined ? {} : { "org.opencontainers.image.revision": name.commit }),
  };
  const config = {
    created,
    architecture: goNames[architecture],
    os: "linux",
    config: {
      User: `${user}:${user}`,
      // Nothing else may be written to.
      Env: ["PATH=/usr/local/bin", "HOME=/tmp"],
      Entrypoint: [`/${programFile}`],
      WorkingDir: "/",
      Labels: labels,
    },
    rootfs: { type: "layers", diff_ids: archives.map((archive) => `sha256:${createHash("sha256").update(archive).digest("hex")}`) },
    history: archives.map(() => ({ created, created_by: "npm run package" })),
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: type("manifest.v1+json"),
    config: keep(type("config.v1+json"), json(config)),
    layers: archives.map((archive) => keep(type("layer.v1.tar+gzip"), gzip(archive))),
  };
  return keep(manifest.mediaType, json(manifest));
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
