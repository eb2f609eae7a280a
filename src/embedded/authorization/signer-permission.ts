import { stringAt, valueAt, equal } from "../../core/object/index.ts";
import type { ResourceAttributes } from "../apiserver/admission.ts";
import type { UserInfo } from "../authentication/index.ts";
import { forbiddenError } from "../status-error.ts";
import type { Authorizer } from "./attributes.ts";

const group = "certificates.k8s.io";

/**
 * Refuses a decision or a certificate of somebody who may not approve, or sign, for the signer of the request. Models
 * plugin/pkg/admission/certificates/approval and signing
 */
export function checkSignerPermission(write: ResourceAttributes, authorizer: Authorizer): void {
  const { resource, subresource, object, live, user } = write;
  if (resource.key !== `certificatesigningrequests.${group}` || live === undefined || user === undefined) return;
  const verb = subresource === "approval" ? "approve" : subresource === "status" ? "sign" : undefined;
  if (verb === undefined || (verb === "sign" && !isSigned(write))) return;
  const signer = stringAt(live, "spec.signerName", "");
  if (mayUseSigner(authorizer, user, verb, signer)) return;
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`;
  throw forbiddenError(resource, object.metadata.name, why);
}

function isSigned({ object, live }: ResourceAttributes): boolean {
  return ["status.certificate", "status.conditions"].some((path) => !equal(valueAt(object, path), valueAt(live, path)));
}

/** A signer is permitted by its name, or by its domain. Models pkg/apis/certificates/authorization */
function mayUseSigner(authorizer: Authorizer, user: UserInfo, verb: string, signer: string): boolean {
  const names = [signer, `${signer.split("/", 1)[0]}/*`];
  return names.some(
    (name) => authorizer.authorize({ user, verb, group, resource: "signers", subresource: "", namespace: "", name }).allowed,
  );
}
