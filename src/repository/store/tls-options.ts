import { createSecureContext } from "node:tls";
import { Fault } from "../../core/fault/index.ts";
import { readTextFile } from "../../core/file/index.ts";
import { quote } from "../../lang/template/index.ts";
import type { RepositoryAccess } from "../repository-access.ts";
import type { TlsOptions } from "../../http/index.ts";

/** Reads the certificate files of an access, and validates them here, where the error can name the file. */
export async function tlsOptionsOf({
  caFile = "",
  certFile = "",
  keyFile = "",
  insecureSkipTlsVerify = false,
}: RepositoryAccess): Promise<TlsOptions> {
  const authority = caFile === "" ? undefined : await pemIn(caFile, "can't read CA file");
  const isClient = certFile !== "" || keyFile !== "";
  const certificate = isClient ? await pemIn(certFile, "unable to read cert file") : undefined;
  const key = isClient ? await pemIn(keyFile, "unable to read key file") : undefined;
  if (authority !== undefined && !authority.includes("-----BEGIN CERTIFICATE-----"))
    throw tlsFault(`CA file ${quote(caFile)} has no certificate in PEM in it`);
  if (certificate !== undefined && key !== undefined) checkPair(certificate, key);
  return {
    insecure: insecureSkipTlsVerify,
    ...(authority === undefined ? {} : { authority }),
    ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
  };
}

async function pemIn(file: string, complaint: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (error) {
    throw tlsFault(`${complaint}: ${quote(file)}`, error);
  }
}

function checkPair(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw tlsFault("unable to load cert from key pair", error);
  }
}

function tlsFault(what: string, cause?: unknown): Fault {
  return new Fault(`can't create TLS config for client: ${what}`, cause, { final: true });
}
