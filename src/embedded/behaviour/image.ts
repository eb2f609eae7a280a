import { hexOf } from "./chance.ts";

type ImageName = { readonly host: string; readonly path: string; readonly tag: string; readonly digest: string };

/** Splits an image name as a container runtime does: no host means docker.io, no tag `latest`. Models distribution/reference normalize */
function imageName(image: string): ImageName {
  const [rest = "", digest = ""] = image.split("@");
  const slash = rest.indexOf("/");
  const first = slash < 0 ? "" : rest.slice(0, slash);
  const named = first.includes(".") || first.includes(":") || first === "localhost";
  const remainder = named ? rest.slice(slash + 1) : rest;
  const colon = remainder.lastIndexOf(":");
  const tagged = colon > remainder.lastIndexOf("/");
  const path = tagged ? remainder.slice(0, colon) : remainder;
  return {
    host: named ? first : "docker.io",
    path: named || path.includes("/") ? path : `library/${path}`,
    tag: tagged ? remainder.slice(colon + 1) : digest === "" ? "latest" : "",
    digest,
  };
}

/** The image as the runtime reports it: `docker.io/library/nginx:1.27`. */
export function fullImage(image: string): string {
  const { host, path, tag, digest } = imageName(image);
  return `${host}/${path}${tag === "" ? `@${digest}` : `:${tag}`}`;
}

/** The image by its digest, made up but always the same for the same image. */
export function imageId(image: string): string {
  const { host, path, digest } = imageName(image);
  return `${host}/${path}@${digest === "" ? `sha256:${hexOf(`digest ${image}`, 64)}` : digest}`;
}

/** Bytes that a pull of this image is said to have cost. */
export function imageSize(image: string): number {
  return 20_000_000 + (Number.parseInt(hexOf(`size ${image}`, 7), 16) % 180_000_000);
}

/**
 * Why an image whose name says so cannot be pulled, in containerd's words: the tag is `missing`, or the registry lies
 * in the `invalid` domain, which RFC 2606 keeps from ever existing.
 */
export function unpullable(image: string): string | undefined {
  const { host, path, tag } = imageName(image);
  const bare = host.replace(/:\d+$/, "");
  if (bare === "invalid" || bare.endsWith(".invalid")) {
    const request = `Head "https://${host}/v2/${path}/manifests/${tag}": dial tcp: lookup ${bare}: no such host`;
    return `failed to pull and unpack image "${fullImage(image)}": failed to resolve reference "${fullImage(image)}": failed to do request: ${request}`;
  }
  return tag === "missing" ? notFoundMessage(image) : undefined;
}

/** What a registry without the image leads to. */
export function notFoundMessage(image: string): string {
  const full = fullImage(image);
  return `rpc error: code = NotFound desc = failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`;
}
