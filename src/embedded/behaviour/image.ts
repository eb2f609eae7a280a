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

/** The image by an invented digest, always the same for the same image. */
export function imageId(image: string): string {
  const { host, path, digest } = imageName(image);
  return `${host}/${path}@${digest === "" ? `sha256:${hexOf(`digest ${image}`, 64)}` : digest}`;
}

/** The size of the image in the kubelet's Pulled event, in bytes. */
export function imageSize(image: string): number {
  return 20_000_000 + (Number.parseInt(hexOf(`size ${image}`, 7), 16) % 180_000_000);
}

/**
 * Why an image cannot be pulled by its name alone, as containerd words it: the tag is `missing`, or the registry is in
 * the `invalid` domain, which RFC 2606 reserves.
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

/** The error of a pull from a registry that does not have the image. */
export function notFoundMessage(image: string): string {
  const full = fullImage(image);
  return `rpc error: code = NotFound desc = failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`;
}
