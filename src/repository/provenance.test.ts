import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { serveHttp } from "../../test/support/loopback.ts";
import { VirtualClock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { sha256 } from "./digest.ts";
import { fetchChart, locateChart, openRepositoryEnvironment, type ChartPathOptions } from "./index.ts";
import { mediaTypes } from "./oci/oci-manifest.ts";

// A chart that Helm 4.2.4 has signed (helm package --sign), and the public key.
const recorded = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));
const archive = recorded("demo-0.1.0.tgz");
const provenance = recorded("demo-0.1.0.tgz.prov");
const digest = sha256(archive);

const folder = mkdtempSync(join(tmpdir(), "sluice-provenance-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const keyring = join(folder, "pubring.gpg");
writeFileSync(keyring, recorded("pubring.gpg"));
const clock = new VirtualClock({ start: Date.parse("2026-11-17T00:00:00Z") });
const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, GNUPGHOME: join(folder, "none") };
const signal = new AbortController().signal;
const environment = openRepositoryEnvironment({ env, home: folder, clock, warn: () => undefined, signal, timeoutMs: 5000 });

/** Who has signed the chart, or why it is refused. */
async function outcomeOf(reference: string, options: ChartPathOptions = {}, read = locateChart): Promise<string> {
  try {
    const found = await read(reference, { verify: true, keyring, ...options }, environment);
    assert.ok("verified" in found && found.verified !== undefined);
    assert.equal(found.verified.digest, `sha256:${digest}`);
    assert.equal(sha256(found.bytes), digest);
    return found.verified.signedBy.join();
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error.message.replaceAll(folder, "").replaceAll(/127\.0\.0\.1:\d+/g, "host");
  }
}

const descriptor = (mediaType: string, bytes: Uint8Array) => ({ mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length });
const index = `apiVersion: v1
entries:
  demo: [{apiVersion: v2, name: demo, version: 0.1.0, digest: ${digest}, urls: [demo-0.1.0.tgz]}]
`;
const signer = "ed25519 <ed25519@example.com>";

function localFile(name: string, bytes: Uint8Array, signature?: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, bytes);
  if (signature !== undefined) writeFileSync(`${path}.prov`, signature);
  return path;
}

test("a local archive is what its provenance file says, or it is refused", async () => {
  const good = localFile("good/demo-0.1.0.tgz", archive, provenance);
  const changed = provenance.toString().replace("name: demo", "name: other");
  const cases: readonly [string, ChartPathOptions, string | RegExp][] = [
    [good, {}, signer],
    [good, { keyring: join(folder, "other.gpg") }, /^read the keyring \/other\.gpg: there is no such file: name one with --keyring/],
    [localFile("garbage.gpg", archive), {}, "could not load provenance file /garbage.gpg.prov: there is no such file"],
    [
      localFile("changed/demo-0.1.0.tgz", Buffer.concat([archive, archive]), provenance),
      {},
      /sha256 sum does not match for demo-0\.1\.0\.tgz: /,
    ],
    [
      localFile("renamed/demo-0.2.0.tgz", archive, provenance),
      {},
      /provenance does not contain a SHA for a file named "demo-0\.2\.0\.tgz"/,
    ],
    [localFile("forged/demo-0.1.0.tgz", archive, changed), {}, /its signature is wrong: the text or the signature was changed/],
    [localFile("unsigned/demo-0.1.0.tgz", archive, "name: demo"), {}, /it is no clear-signed text/],
    [good, { keyring: localFile("not-a.gpg", Buffer.from("keys")) }, /it has no OpenPGP keys/],
    [folder, {}, ": unpacked charts cannot be verified"],
  ];
  for (const [path, options, expected] of cases) {
    const found = await outcomeOf(path, options);
    if (typeof expected === "string") assert.equal(found, expected);
    else assert.match(found, expected);
  }
});

test("charts of repositories and registries are verified by the file and the layer beside them, also those that are cached", async (t) => {
  const config = Buffer.from("{}");
  const manifest = (...layers: readonly object[]) =>
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.manifest, config: descriptor(mediaTypes.config, config), layers });
  const blobs = Object.fromEntries([archive, provenance].map((bytes) => [`/v2/demo/blobs/sha256:${sha256(bytes)}`, bytes]));
  const paths: Readonly<Record<string, string | Uint8Array>> = {
    ...blobs,
    "/v2/demo/manifests/0.1.0": manifest(descriptor(mediaTypes.chart, archive), descriptor(mediaTypes.provenance, provenance)),
    "/v2/demo/manifests/0.1.1": manifest(descriptor(mediaTypes.chart, archive)),
    "/signed/index.yaml": index,
    "/signed/demo-0.1.0.tgz": archive,
    "/signed/demo-0.1.0.tgz.prov": provenance,
    "/unsigned/index.yaml": index,
    "/unsigned/demo-0.1.0.tgz": archive,
  };
  const { url } = await serveHttp(t, ({ url: path = "" }, response) => void response.writeHead(path in paths ? 200 : 404).end(paths[path]));
  const registry = `oci://${url.replace("http://", "")}/demo`;
  const missing = /^failed to fetch provenance http:\/\/host\/unsigned\/demo-0\.1\.0\.tgz\.prov: /;
  for (const read of [locateChart, fetchChart] as (typeof locateChart)[]) {
    assert.equal(await outcomeOf(`${url}/signed/demo-0.1.0.tgz`, {}, read), signer);
    assert.equal(await outcomeOf("demo", { repo: `${url}/signed` }, read), signer);
    assert.match(await outcomeOf("demo", { repo: `${url}/unsigned` }, read), missing);
    assert.equal(await outcomeOf(registry, { version: "0.1.0", plainHttp: true }, read), signer);
    assert.match(
      await outcomeOf(registry, { version: "0.1.1", plainHttp: true }, read),
      /has no provenance file: it was pushed without one$/,
    );
  }
  copyFileSync(keyring, join(folder, "again.gpg"));
  assert.equal(await outcomeOf("demo", { repo: `${url}/signed`, keyring: join(folder, "again.gpg") }), signer, "from the cache");
});
