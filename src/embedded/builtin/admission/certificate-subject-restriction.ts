import { stringAt } from "../../../core/object/index.ts";
import { certificateRequestIn } from "../validation/certificate-signing-request.ts";
import { admissionForbidden, type ValidatingPlugin } from "./plugin.ts";

const signer = "kubernetes.io/kube-apiserver-client";
const masters = "system:masters";

/** Nobody gets a certificate of an administrator. Models plugin/pkg/admission/certificates/subjectrestriction */
export const validateCertificateSubject: ValidatingPlugin = (attributes) => {
  const { operation, object } = attributes;
  if (operation !== "CREATE" || stringAt(object, "spec.signerName") !== signer) return;
  const request = certificateRequestIn(object);
  if (typeof request === "string") throw admissionForbidden(attributes, `failed to parse CSR: ${request}`);
  if (request.organizations.includes(masters))
    throw admissionForbidden(attributes, `use of ${signer} signer with ${masters} group is not allowed`);
};
