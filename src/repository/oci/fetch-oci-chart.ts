import { Fault } from "../../core/fault/index.ts";
import { posix } from "node:path";
import type { RepositoryAccess } from "../repository-access.ts";
import { versionOf } from "../index-file.ts";
import { chooseTag, versionsOfTags } from "../choose-version.ts";
import { checkArchive } from "../fetch-archive.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";
import { openRegistry } from "./open-registry.ts";
import { parseReference, referenceText, tagFor, type OciReference } from "./oci-reference.ts";
import type { Registry } from "./registry.ts";

/** Fetches a chart from a registry: `oci://host/path/chart`, with a tag, a digest, or the best version. */
export async function fetchOciChart(
  address: string,
  version: string,
  access: RepositoryAccess,
  environment: RepositoryEnvironment,
): Promise<{ readonly name: string; readonly bytes: Uint8Array; readonly provenance: () => Promise<string> }> {
  const asked = parseReference(address);
  const registry = await openRegistry(asked.registry, access, environment);
  const { reference, label } = await resolveReference(asked, address, version, registry);
  const { bytes, provenance } = await registry.pull(reference);
  checkArchive(bytes, referenceText(reference));
  return { name: `${posix.basename(reference.repository)}${label}.tgz`, bytes, provenance };
}

/** The versions of a chart in a registry, the highest first. */
export async function ociVersions(
  address: string,
  access: RepositoryAccess,
  environment: RepositoryEnvironment,
): Promise<readonly string[]> {
  const asked = parseReference(address);
  const registry = await openRegistry(asked.registry, access, environment);
  return versionsOfTags(await registry.tags(asked));
}

type ResolvedReference = {
  readonly reference: OciReference;
  /** The suffix of the file name. */ readonly label: string;
};

/** Resolves the exact artifact. Models helm pkg/registry/client.go ValidateReference */
async function resolveReference(asked: OciReference, address: string, version: string, registry: Registry): Promise<ResolvedReference> {
  if (version !== "" && asked.tag !== "" && asked.tag !== version && asked.tag !== version.replaceAll("+", "_"))
    throw refusal(`chart reference and version mismatch: ${version} is not ${asked.tag}`);
  const wanted = version === "" ? asked.tag : version;
  if (asked.digest !== "") {
    await checkTag(asked, wanted, registry);
    return { reference: asked, label: `@${asked.digest.replace(":", "-")}` };
  }
  const tag = versionOf(wanted.replaceAll("_", "+")) === undefined ? await tagThatFits(asked, address, wanted, registry) : wanted;
  return { reference: { ...asked, tag: tagFor(tag) }, label: `-${tag}` };
}

/** A tag beside a digest must match it if the tag exists. */
async function checkTag(asked: OciReference, wanted: string, registry: Registry): Promise<void> {
  if (wanted === "") return;
  const digest = await registry.resolve({ ...asked, tag: tagFor(wanted), digest: "" });
  if (digest !== undefined && digest !== asked.digest) throw refusal(`chart reference digest mismatch: ${digest} is not ${asked.digest}`);
}

async function tagThatFits(asked: OciReference, address: string, wanted: string, registry: Registry): Promise<string> {
  const tags = versionsOfTags(await registry.tags(asked));
  if (tags.length === 0) throw refusal(`unable to locate any tags in provided repository: ${address}`);
  return chooseTag(tags, wanted);
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
