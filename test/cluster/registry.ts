import { spawn, type ChildProcess } from "node:child_process";
import { sign, X509Certificate } from "node:crypto";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { Fault } from "../../src/core/fault/index.ts";
import { issueCertificate, createCertificateAuthority, type CertificateKeyPair } from "../../src/lang/x509/index.ts";
import { writeYaml } from "../../src/lang/yaml/index.ts";
import { freePorts } from "./control-plane-process.ts";

const clock = new RealClock();
const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2099-01-01T00:00:00Z") };

/** The only user of these registries. The hash of the password was made by libxcrypt's bcrypt. */
export const registryUser = { name: "keeper", password: "let-me-in", hash: "$2b$05$abcdefghijklmnopqrstuu3Jd./u/rH1RxB6auX5v7gLP6uWhKCgG" };

/** The authority of all servers of these tests, and the file with its certificate. */
type TlsTrust = { readonly authority: CertificateKeyPair; readonly identity: CertificateKeyPair; readonly caFile: string };

export function makeTlsTrust(folder: string): TlsTrust {
  const authority = createCertificateAuthority("registry-ca", validity);
  const identity = issueCertificate(authority, { commonName: "registry", hosts: ["127.0.0.1", "localhost"], usages: ["server"] }, validity);
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority.certificate);
  return { authority, identity, caFile };
}

export type RunningServer = { readonly host: string; readonly stop: () => Promise<void> };

/** Starts Debian's docker-registry on loopback, with TLS and the given authentication. */
export async function startRegistry(
  program: string,
  name: string,
  auth: unknown,
  folder: string,
  { identity, caFile }: TlsTrust,
): Promise<RunningServer> {
  const [port = 0] = await freePorts(1);
  const file = (suffix: string) => join(folder, `${name}.${suffix}`);
  writeFileSync(file("crt"), identity.certificate);
  writeFileSync(file("key"), identity.key, { mode: 0o600 });
  const config = {
    version: 0.1,
    log: { level: "warn" },
    storage: { filesystem: { rootdirectory: file("data") } },
    http: { addr: `127.0.0.1:${port}`, secret: "of-these-tests", tls: { certificate: file("crt"), key: file("key") } },
    auth,
  };
  writeFileSync(file("yaml"), writeYaml(config));
  const log = openSync(file("log"), "a");
  // The shell ends the registry when its pipe from this process closes, so that it does not outlive this process.
  const leash = 'program=$0; "$program" serve "$1" & child=$!; cat >/dev/null; kill "$child"; wait "$child"';
  const child = spawn("sh", ["-c", leash, program, file("yaml")], { stdio: ["pipe", log, log] });
  closeSync(log);
  const stop = () => ended(child);
  const host = `127.0.0.1:${port}`;
  for (let tries = 0; (await statusOf(`https://${host}/v2/`, caFile)) !== 401; tries++) {
    if (tries === 200) {
      await stop();
      throw new Fault(`${name} does not answer; its last lines`, readFileSync(file("log"), "utf8").slice(-1000));
    }
    await sleep(clock, 50);
  }
  return { host, stop };
}

/** An htpasswd entry for the user. */
export function passwordAuth(folder: string): unknown {
  const path = join(folder, "htpasswd");
  writeFileSync(path, `${registryUser.name}:${registryUser.hash}\n`);
  return { htpasswd: { realm: "registry", path } };
}

export type TokenServer = RunningServer & { readonly auth: unknown; /** What was asked for, as whom. */ readonly asked: string[] };

/** A token server that grants the user all scopes, and everyone else pulls of public repositories. */
export async function startTokenServer(folder: string, { identity, authority }: TlsTrust): Promise<TokenServer> {
  const asked: string[] = [];
  const server = createServer({ cert: identity.certificate, key: identity.key }, ({ url = "", headers }, response) => {
    const { searchParams } = new URL(url, "https://x");
    const known = headers.authorization === `Basic ${Buffer.from(`${registryUser.name}:${registryUser.password}`).toString("base64")}`;
    const scopes = searchParams.getAll("scope");
    asked.push(`${headers.authorization === undefined ? "nobody" : known ? registryUser.name : "stranger"} ${scopes.join(" ")}`);
    if (headers.authorization !== undefined && !known) return void response.writeHead(401).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ token: tokenFor(scopes, known, identity), expires_in: 300 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rootcertbundle = join(folder, "token-ca.pem");
  writeFileSync(rootcertbundle, authority.certificate);
  const auth = { token: { realm: `https://${host}/token`, service: "registry", issuer: "tokens", rootcertbundle } };
  return { host, auth, asked, stop: () => closed(server) };
}

/** A JWT with its own certificate. Models the token specification of distribution */
function tokenFor(scopes: readonly string[], known: boolean, { certificate, key }: CertificateKeyPair): string {
  const x5c = [new X509Certificate(certificate).raw.toString("base64")];
  const now = Math.floor(clock.now() / 1000);
  const access = scopes.map((scope) => {
    const [type = "", name = "", actions = ""] = scope.split(":");
    const wanted = actions.split(",");
    const granted = known ? wanted : wanted.filter((action) => action === "pull" && name.startsWith("public/"));
    return { type, name, actions: granted };
  });
  const claims = { iss: "tokens", aud: "registry", sub: "", exp: now + 300, nbf: now - 60, iat: now, jti: `${now}`, access };
  const signed = [{ typ: "JWT", alg: "ES256", x5c }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

function statusOf(url: string, caFile: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asking = request(url, { ca: readFileSync(caFile) }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on("error", () => resolve(undefined));
    asking.end();
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.stdin?.end();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
