import { fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerConstructor, EmbeddedControllerContext } from "../controller.ts";

const writer = "kube-controller-manager";
const tokenType = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";

/** What fills Secrets of the type kubernetes.io/service-account-token. */
export type TokenControllerOptions = {
  /** The certificate of the API server, in PEM. Empty when it has none. */
  readonly certificate: string;
  readonly issueToken: (account: KubeObject, secret: KubeObject) => string;
};

/** An account, which may be gone when its key is reconciled. */
type AccountKey = { readonly namespace: string; readonly account: string; readonly uid: string };

/** A Secret, which may be gone, with the account that it was for. The uid of the account is empty until its token is issued. */
type SecretKey = AccountKey & { readonly secret: string; readonly accountUid: string };

/**
 * Fills Secrets with the token of their service account, and removes them with it. Models
 * pkg/controller/serviceaccount/tokens_controller.go
 */
export function tokenController(options: TokenControllerOptions): ControllerConstructor {
  return (context) => ({
    name: "service-account-token",
    watches: {
      serviceaccounts: ({ type, object }) => (type === "DELETED" ? [accountKeyOf(object)] : []),
      secrets: ({ object }) => (stringAt(object, "type") === tokenType ? [secretKeyOf(object)] : []),
    },
    reconcile: (text) => {
      const key = JSON.parse(text) as AccountKey | SecretKey;
      if ("secret" in key) syncSecret(context, key, options);
      else removeTokens(context, key);
      return undefined;
    },
  });
}

function accountKeyOf({ metadata: { name, namespace = "", uid = "" } }: KubeObject): string {
  return JSON.stringify({ namespace, account: name, uid } satisfies AccountKey);
}

function secretKeyOf({ metadata: { name, namespace = "", uid = "", annotations } }: KubeObject): string {
  const [account, accountUid] = [annotations?.[nameAnnotation] ?? "", annotations?.[uidAnnotation] ?? ""];
  return JSON.stringify({ namespace, secret: name, uid, account, accountUid } satisfies SecretKey);
}

/** Removes the Secrets of an account that is gone. */
function removeTokens({ api }: EmbeddedControllerContext, { account, namespace, uid }: AccountKey): void {
  if (api.read("serviceaccounts", namespace, account)?.metadata.uid === uid) return;
  for (const secret of api.list("secrets", namespace)) {
    const { name, uid: own = "", annotations } = secret.metadata;
    const isToken = stringAt(secret, "type") === tokenType && annotations?.[nameAnnotation] === account;
    if (isToken && annotations?.[uidAnnotation] === uid) api.delete("secrets", namespace, name, { uid: own });
  }
}

function syncSecret(context: EmbeddedControllerContext, key: SecretKey, options: TokenControllerOptions): void {
  const { api } = context;
  const { namespace, uid, accountUid } = key;
  const found = api.read("serviceaccounts", namespace, key.account);
  const account = accountUid === "" || found?.metadata.uid === accountUid ? found : undefined;
  const secret = api.read("secrets", namespace, key.secret);
  if (secret?.metadata.uid !== uid) {
    if (account !== undefined) removeReference(context, account, key.secret);
  } else if (account === undefined) api.delete("secrets", namespace, key.secret, { uid });
  else fillSecret(context, account, secret, options);
}

/** An account does not list a Secret that is gone. */
function removeReference({ api }: EmbeddedControllerContext, account: KubeObject, secret: string): void {
  const listed = listAt(account, "secrets");
  const kept = listed.filter((reference) => reference["name"] !== secret);
  if (kept.length === listed.length) return;
  const { secrets: _before, ...rest } = account;
  api.update("serviceaccounts", { ...rest, ...(kept.length === 0 ? {} : { secrets: kept }) } as KubeObject, writer);
}

function fillSecret({ api }: EmbeddedControllerContext, account: KubeObject, secret: KubeObject, options: TokenControllerOptions): void {
  const data = fieldsAt(secret, "data");
  const missing = missingData(account, secret, data, options);
  if (Object.keys(missing).length === 0) return;
  const annotations = { ...secret.metadata.annotations, [nameAnnotation]: account.metadata.name, [uidAnnotation]: account.metadata.uid! };
  api.update("secrets", { ...secret, metadata: { ...secret.metadata, annotations }, data: { ...data, ...missing } }, writer);
}

/** A certificate of another authority is replaced; a token and a namespace that are there stay. */
function missingData(account: KubeObject, secret: KubeObject, data: Fields, { certificate, issueToken }: TokenControllerOptions): Fields {
  const authority = encoded(certificate);
  return {
    ...(certificate !== "" && data["ca.crt"] !== authority ? { "ca.crt": authority } : {}),
    ...(data["namespace"] ? {} : { namespace: encoded(secret.metadata.namespace ?? "") }),
    ...(data["token"] ? {} : { token: encoded(issueToken(account, secret)) }),
  };
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64");
}
