import { Fault } from "../../core/fault/index.ts";
import { isDigest } from "../digest.ts";

/** A parsed `oci://` reference: a repository of a registry, optionally with a tag or digest. */
export type OciReference = { readonly registry: string; readonly repository: string; readonly tag: string; readonly digest: string };

const host = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/;
const path = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const tagForm = /^\w[\w.-]{0,127}$/;

/**
 * Parses `oci://host[:port]/path[:tag][@digest]`. Plus signs in a tag become underscores, because registries reject
 * them. Models helm pkg/registry/reference.go
 */
export function parseReference(address: string): OciReference {
  const plain = address.replace(/^oci:\/\//, "");
  const [named = "", digest = ""] = cutLast(plain, "@");
  const slash = named.indexOf("/");
  if (slash < 0) throw invalid(address, "missing registry or repository");
  const registry = named.slice(0, slash);
  const [repository, tag = ""] = cutLast(named.slice(slash + 1), ":");
  if (!host.test(registry)) throw invalid(address, `invalid registry ${JSON.stringify(registry)}`);
  if (!path.test(repository)) throw invalid(address, `invalid repository ${JSON.stringify(repository)}`);
  if (plain.includes("@") && !isDigest(digest)) throw invalid(address, `invalid digest ${JSON.stringify(digest)}`);
  return { registry, repository, tag: tag === "" ? "" : tagFor(tag), digest };
}

/** The tag of a version. */
export function tagFor(version: string): string {
  const tag = version.replaceAll("+", "_");
  if (!tagForm.test(tag)) throw new Fault(`invalid reference: invalid tag ${JSON.stringify(tag)}`, undefined, { final: true });
  return tag;
}

export function referenceText({ registry, repository, tag, digest }: OciReference): string {
  return `${registry}/${repository}${tag === "" ? "" : `:${tag}`}${digest === "" ? "" : `@${digest}`}`;
}

function cutLast(text: string, separator: string): [string, string | undefined] {
  const at = text.lastIndexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function invalid(address: string, because: string): Fault {
  return new Fault(`invalid reference: ${because} in ${JSON.stringify(address)}`, undefined, { final: true });
}
