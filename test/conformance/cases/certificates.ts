import type { Json } from "../../../src/core/object/index.ts";
import {
  applyRequest,
  httpDelete,
  httpGet,
  httpPost,
  httpPut,
  mergePatch,
  namespacedPath,
  type ConformanceCase,
} from "../conformance-case.ts";
import { requestOf } from "./signing-request-texts.ts";

const requestsPath = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const client = "kubernetes.io/kube-apiserver-client";
const kubelet = "kubernetes.io/kube-apiserver-client-kubelet";
type More = { readonly [field: string]: Json };
const signingRequest = (name: string, spec: More = {}) => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name: `{unique}-${name}` },
  spec: { request: requestOf.jane, signerName: client, usages: ["client auth"], ...spec },
});
const path = (name: string, part = "") => `${requestsPath}/{unique}-${name}${part}`;
const condition = (type: string, more: More = {}) => ({ type, status: "True", reason: "Tested", message: "by a test", ...more });
const deciding = (...conditions: More[]) => ({ status: { conditions } });
const user = { "impersonate-user": "jane", "impersonate-group": "devs" };
const json = { "content-type": "application/json" };
const remove = (...names: string[]) => names.map((name) => httpDelete(path(name), undefined, { show: [] }));
const broken = `${requestOf.jane.slice(0, 300)}${requestOf.jane[300] === "A" ? "B" : "A"}${requestOf.jane.slice(301)}`;

const podsPath = namespacedPath("v1", "pods");
const pod = (name: string, more: More = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { schedulerName: "nobody", containers: [{ name: "a", image: "example.com/a" }], ...more },
});
const binding = (name: string, more: More = {}) => ({
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name },
  target: { apiVersion: "v1", kind: "Node", name: "nowhere" },
  ...more,
});

const certificateCases: readonly ConformanceCase[] = [
  {
    id: "certificates/create",
    title: "a CertificateSigningRequest is made for who creates it",
    steps: [
      httpPost(requestsPath, signingRequest("a", { username: "else", groups: ["x"], expirationSeconds: 3600 }), {
        show: ["metadata.managedFields", "spec.username", "spec.groups", "spec.usages", "spec.expirationSeconds", "status"],
      }),
      mergePatch(path("a"), { spec: { usages: ["any"] }, metadata: { labels: { a: "b" } } }, { show: ["spec.usages", "metadata.labels"] }),
      httpGet(`${requestsPath}?fieldSelector=spec.signerName=example.com/none`, { show: ["metadata.name"] }),
      ...remove("a"),
    ],
  },
  {
    id: "certificates/validation",
    title: "a CertificateSigningRequest is validated",
    steps: [
      httpPost(requestsPath, signingRequest("a", { request: "bm9uZQ==" }), { expect: 422 }),
      httpPost(requestsPath, signingRequest("b", { request: broken }), { expect: 422, show: ["code", "reason"] }),
      httpPost(requestsPath, signingRequest("c", { usages: [], signerName: "none", expirationSeconds: 5 }), { expect: 422 }),
      httpPost(requestsPath, signingRequest("d", { usages: ["client auth", "client auth", "odd"] }), { expect: 422 }),
      httpPost(requestsPath, signingRequest("e", { signerName: "kubernetes.io/legacy-unknown" }), { expect: 422 }),
      httpPost(requestsPath, signingRequest("f", { request: requestOf.masters }), { expect: 403 }),
      httpPost(requestsPath, signingRequest("g", { request: requestOf.masters, signerName: "example.com/other" }), {
        show: ["spec.signerName"],
      }),
      ...remove("g"),
    ],
  },
  {
    id: "certificates/approve",
    title: "an approved request of a client is signed",
    steps: [
      httpPost(requestsPath, signingRequest("a"), { show: [] }),
      mergePatch(
        path("a", "/approval"),
        { ...deciding(condition("Approved")), spec: { usages: ["any"] } },
        { show: ["spec.usages", "status"] },
      ),
      { waitFor: path("a"), until: { "condition:Approved": "True" }, show: ["status.conditions"] },
      mergePatch(path("a", "/approval"), deciding(), { expect: 422 }),
      mergePatch(path("a", "/approval"), deciding(condition("Approved"), condition("Denied")), { expect: 422 }),
      mergePatch(path("a", "/approval"), deciding(condition("Approved"), condition("Approved")), { expect: 422 }),
      mergePatch(path("a", "/status"), deciding(condition("Approved", { message: "other" })), { show: ["status.conditions"] }),
      ...remove("a"),
    ],
  },
  {
    id: "certificates/deny",
    title: "a denied request is not signed, and stays denied",
    steps: [
      httpPost(requestsPath, signingRequest("a"), { show: [] }),
      mergePatch(path("a", "/approval"), deciding(condition("Denied", { status: "False" })), { expect: 422 }),
      mergePatch(path("a", "/approval"), deciding(condition("Denied")), { show: ["status", "metadata.managedFields"] }),
      mergePatch(path("a", "/approval"), deciding(condition("Approved")), { expect: 422 }),
      mergePatch(path("a", "/status"), deciding(), { expect: 422 }),
      httpGet(path("a", "/approval"), { show: ["status.conditions"] }),
      ...remove("a"),
    ],
  },
  {
    id: "certificates/subresources",
    title: "the decision and the certificate are written through subresources of their own",
    steps: [
      httpPost(requestsPath, signingRequest("a", { signerName: "example.com/other" }), { show: [] }),
      mergePatch(path("a", "/status"), deciding(condition("Approved")), { expect: 422 }),
      mergePatch(path("a", "/approval"), { status: { certificate: "bm9uZQ==" } }, { show: ["status"] }),
      mergePatch(path("a", "/status"), { status: { certificate: "bm9uZQ==" } }, { expect: 422 }),
      applyRequest(
        path("a", "/status"),
        {
          apiVersion: "certificates.k8s.io/v1",
          kind: "CertificateSigningRequest",
          metadata: { name: "{unique}-a" },
          ...deciding({ type: "Custom", status: "False", reason: "No", message: "no" }),
        },
        { show: ["status", "metadata.managedFields"] },
      ),
      { call: `POST ${path("a", "/approval")}`, body: signingRequest("a"), headers: json, expect: 405 },
      { call: `DELETE ${path("a", "/approval")}`, expect: 405 },
      { call: `DELETE ${path("a", "/status")}`, expect: 405 },
      httpPut(
        path("a", "/approval"),
        { ...signingRequest("a"), ...deciding(condition("Approved")) },
        { show: ["spec.signerName", "status"] },
      ),
      ...remove("a"),
    ],
  },
  {
    id: "certificates/failed",
    title: "an approved request that does not fit its signer fails",
    steps: [
      httpPost(requestsPath, signingRequest("a", { usages: ["client auth", "server auth"] }), { show: [] }),
      mergePatch(path("a", "/approval"), deciding(condition("Approved")), { show: [] }),
      { waitFor: path("a"), until: { "condition:Failed": "True" }, show: ["status"] },
      httpPost(requestsPath, signingRequest("b", { signerName: kubelet }), { show: [] }),
      mergePatch(path("b", "/approval"), deciding(condition("Approved")), { show: [] }),
      { waitFor: path("b"), until: { "condition:Failed": "True" }, show: ["status"] },
      httpPost(requestsPath, signingRequest("c", { request: requestOf.serving, signerName: "kubernetes.io/kubelet-serving" }), {
        show: [],
      }),
      mergePatch(path("c", "/approval"), deciding(condition("Approved")), { show: [] }),
      { waitFor: path("c"), until: { "condition:Failed": "True" }, show: ["status"] },
      ...remove("a", "b", "c"),
    ],
  },
  {
    id: "certificates/kubelet",
    title: "the request of a kubelet is approved for who may make it",
    steps: [
      httpPost(
        requestsPath,
        signingRequest("a", { request: requestOf.node, signerName: kubelet, usages: ["digital signature", "client auth"] }),
        {
          show: [],
        },
      ),
      { waitFor: path("a"), until: { "condition:Approved": "True" }, show: ["status.conditions"] },
      ...remove("a"),
    ],
  },
  {
    id: "certificates/permission",
    title: "who may write approvals may still not approve for every signer",
    steps: [
      httpPost(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRole",
          metadata: { name: "{unique}" },
          rules: [
            {
              apiGroups: ["certificates.k8s.io"],
              resources: ["certificatesigningrequests", "certificatesigningrequests/approval", "certificatesigningrequests/status"],
              verbs: ["*"],
            },
          ],
        },
        { show: [] },
      ),
      httpPost(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRoleBinding",
          metadata: { name: "{unique}" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "{unique}" },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
        },
        { show: [] },
      ),
      httpPost(requestsPath, signingRequest("a"), { headers: { ...json, ...user }, early: 403, show: ["spec.username", "spec.groups"] }),
      {
        call: `PATCH ${path("a", "/approval")}`,
        body: deciding(condition("Approved")),
        headers: { "content-type": "application/merge-patch+json", ...user },
        expect: 403,
      },
      {
        call: `PATCH ${path("a", "/status")}`,
        body: deciding(condition("Failed")),
        headers: { "content-type": "application/merge-patch+json", ...user },
        expect: 403,
      },
      ...remove("a"),
      httpDelete("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/{unique}", undefined, { show: [] }),
      httpDelete("/apis/rbac.authorization.k8s.io/v1/clusterroles/{unique}", undefined, { show: [] }),
    ],
  },
];

const bindingCases: readonly ConformanceCase[] = [
  {
    id: "bindings/pod",
    title: "a pod is bound to a node once",
    steps: [
      httpPost(podsPath, pod("web"), { show: [] }),
      httpPost(`${podsPath}/web/binding`, binding("other"), { expect: 400 }),
      httpPost(`${podsPath}/web/binding`, binding("web", { target: { kind: "Pod", name: "x" } }), { expect: 500 }),
      httpPost(`${podsPath}/web/binding`, binding("web", { target: { name: "" } }), { expect: 500 }),
      httpPost(`${podsPath}/absent/binding`, binding("absent"), { expect: 404 }),
      httpPost(`${podsPath}/web/binding?dryRun=All`, binding("web")),
      httpPost(`${podsPath}/web/binding`, binding("web", { metadata: { name: "web", uid: "other" } }), { expect: 409 }),
      httpPost(`${podsPath}/web/binding`, binding("web", { metadata: { name: "web", annotations: { a: "b" }, labels: { c: "d" } } })),
      httpGet(`${podsPath}/web`, {
        show: ["spec.nodeName", "metadata.annotations", "metadata.labels", "metadata.generation", "status.conditions"],
      }),
      httpPost(`${podsPath}/web/binding`, binding("web"), { expect: 409 }),
      httpGet(`${podsPath}/web/binding`, { expect: 405 }),
      httpPost(podsPath, pod("gated", { schedulingGates: [{ name: "example.com/gate" }] }), { show: [] }),
      httpPost(`${podsPath}/gated/binding`, binding("gated"), { expect: 409 }),
    ],
  },
  {
    id: "bindings/collection",
    title: "a Binding is posted to its own collection too",
    steps: [
      httpPost(podsPath, pod("web"), { show: [] }),
      httpPost(namespacedPath("v1", "bindings"), binding("web")),
      httpGet(`${podsPath}/web`, { show: ["spec.nodeName"] }),
      httpGet(namespacedPath("v1", "bindings"), { expect: 405 }),
      httpPost(namespacedPath("v1", "bindings"), binding("absent"), { expect: 404 }),
    ],
  },
];

/** Certificates that the cluster signs, and nodes that others choose. */
export const certificatesCases: readonly ConformanceCase[] = [...certificateCases, ...bindingCases];
