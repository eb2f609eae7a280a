import { X509Certificate } from "node:crypto";
import {
  fieldsAt,
  findCondition,
  listAt,
  numberAt,
  stringAt,
  stringsAt,
  type Fields,
  type KubeObject,
} from "../../../core/object/index.ts";
import { signCertificateRequest, type CertificateKeyPair, type CertificateRequest } from "../../../lang/x509/index.ts";
import type { UserInfo } from "../../authentication/index.ts";
import { certificateRequestIn } from "../../builtin/index.ts";
import { timestampOf } from "../../timestamp.ts";
import type { ControllerConstructor, EmbeddedControllerContext } from "../controller.ts";
import { certificateUsagesOf } from "./certificate-usages.ts";
import { objectionToClient, objectionToKubeletClient, objectionToKubeletServing } from "./kubelet-request.ts";

/** Who signs requests. */
export type CertificateSigner = {
  /** The authority of the cluster; made at the first request where there is none. */
  authority(): CertificateKeyPair;
  /** Whether a user may create this subresource of requests, which approves them. */
  mayCreate(user: UserInfo, subresource: string): boolean;
};

const key = "certificatesigningrequests.certificates.k8s.io";
const writer = "kube-controller-manager";
const kubeletClient = "kubernetes.io/kube-apiserver-client-kubelet";

const objections: Readonly<Record<string, (request: CertificateRequest, usages: readonly string[]) => string | undefined>> = {
  "kubernetes.io/kube-apiserver-client": objectionToClient,
  [kubeletClient]: objectionToKubeletClient,
  "kubernetes.io/kubelet-serving": objectionToKubeletServing,
};

/**
 * Approves the requests of kubelets whose user may make them, and signs approved ones. Models
 * pkg/controller/certificates/approver/sarapprove.go and signer/signer.go
 */
export function signingRequestController(signer: CertificateSigner): ControllerConstructor {
  return (context) => ({
    name: "certificate-signing-request",
    watches: { [key]: ({ type, object }) => (type === "DELETED" ? [] : [object.metadata.name]) },
    reconcile: (name) => {
      const live = context.api.read(key, "", name);
      const request = live === undefined ? undefined : certificateRequestIn(live);
      if (live === undefined || request === undefined || typeof request === "string") return undefined;
      if (stringAt(live, "status.certificate", "") !== "" || findCondition(live, "Denied", "True") !== undefined) return undefined;
      if (findCondition(live, "Approved", "True") === undefined) approve(context, signer, live, request);
      else signApproved(context, signer, live, request);
      return undefined;
    },
  });
}

function usagesOf(object: KubeObject): readonly string[] {
  return stringsAt(object, "spec.usages");
}

function withConditions(object: KubeObject, condition: Fields): KubeObject {
  const conditions = [...listAt(object, "status.conditions"), condition];
  return { ...object, status: { ...fieldsAt(object, "status"), conditions } };
}

const approvals = [
  { subresource: "selfnodeclient", message: "Auto approving self kubelet client certificate after SubjectAccessReview." },
  { subresource: "nodeclient", message: "Auto approving kubelet client certificate after SubjectAccessReview." },
];

function approve({ api }: EmbeddedControllerContext, signer: CertificateSigner, live: KubeObject, request: CertificateRequest): void {
  const isKubelets = stringAt(live, "spec.signerName") === kubeletClient && objectionToKubeletClient(request, usagesOf(live)) === undefined;
  if (!isKubelets) return;
  const user: UserInfo = { username: stringAt(live, "spec.username", ""), groups: stringsAt(live, "spec.groups") };
  const isOwn = user.username === request.commonName;
  const approval = approvals.slice(isOwn ? 0 : 1).find(({ subresource }) => signer.mayCreate(user, subresource));
  if (approval === undefined) return;
  const condition = { type: "Approved", status: "True", reason: "AutoApproved", message: approval.message };
  api.update(key, withConditions(live, condition), writer);
}

function signApproved(context: EmbeddedControllerContext, signer: CertificateSigner, live: KubeObject, request: CertificateRequest): void {
  const { api, clock } = context;
  const objection = objections[stringAt(live, "spec.signerName", "")];
  if (objection === undefined || findCondition(live, "Failed", "True") !== undefined) return;
  const why = objection(request, usagesOf(live));
  if (why !== undefined) {
    const lastUpdateTime = timestampOf(clock.now());
    const failed = { type: "Failed", status: "True", reason: "SignerValidationFailure", message: why, lastUpdateTime };
    api.updateStatus(key, withConditions(live, failed), writer);
    return;
  }
  const authority = signer.authority();
  const validity = validityOf(authority, clock.now(), numberAt(live, "spec.expirationSeconds"));
  const certificate = signCertificateRequest(authority, request, certificateUsagesOf(usagesOf(live)), validity);
  api.updateStatus(
    key,
    { ...live, status: { ...fieldsAt(live, "status"), certificate: Buffer.from(certificate).toString("base64") } },
    writer,
  );
}

const minuteMs = 60_000;
/** The default of --cluster-signing-duration. */
const longestMs = 365 * 24 * 60 * minuteMs;
const shortestMs = 10 * minuteMs;
const backdateMs = 5 * minuteMs;
/** Shorter ones do not end earlier for beginning earlier. */
const shortMs = 8 * 60 * minuteMs;

/** Models pkg/controller/certificates/authority/policies.go PermissiveSigningPolicy */
function validityOf({ certificate }: CertificateKeyPair, now: number, seconds: number | undefined): { notBefore: Date; notAfter: Date } {
  const ttl = seconds === undefined ? longestMs : Math.max(shortestMs, Math.min(seconds * 1000, longestMs));
  const end = now + (ttl < shortMs ? ttl : ttl - backdateMs);
  const last = Date.parse(new X509Certificate(certificate).validTo);
  return { notBefore: new Date(now - backdateMs), notAfter: new Date(Math.min(end, last)) };
}
