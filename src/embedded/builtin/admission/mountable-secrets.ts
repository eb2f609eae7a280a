import { listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";

// Models plugin/pkg/admission/serviceaccount/admission.go limitSecretReferences

export const mountableSecretsAnnotation = "kubernetes.io/enforce-mountable-secrets";
const truths = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** Why a Pod may not use a secret, when its service account restricts the secrets that Pods may mount. */
export function objectionToSecrets(spec: Fields, account: KubeObject): string | undefined {
  if (!truths.has(mapAt(account, "metadata.annotations")[mountableSecretsAnnotation] ?? "")) return undefined;
  const { name } = account.metadata;
  const mountable = new Set(listAt(account, "secrets").map((secret) => stringAt(secret, "name", "")));
  const stray = secretsOf(spec).find(({ secret }) => !mountable.has(secret));
  if (stray !== undefined) {
    return `${stray.what}secret.secretName="${stray.secret}" is not allowed because service account ${name} does not reference that secret`;
  }
  return objectionToPullSecrets(spec, account);
}

/** Whether a Pod uses any secret. */
export function referencesSecrets(spec: Fields): boolean {
  return secretsOf(spec).length > 0 || listAt(spec, "imagePullSecrets").length > 0;
}

type Use = { readonly what: string; readonly secret: string };

function secretsOf(spec: Fields): Use[] {
  const volumes = listAt(spec, "volumes").flatMap((volume) => use("volume with ", stringAt(volume, "secret.secretName")));
  const starting = listAt(spec, "initContainers").flatMap((container) => secretsOfContainer("init container", container));
  const running = listAt(spec, "containers").flatMap((container) => secretsOfContainer("container", container));
  return [...volumes, ...starting, ...running];
}

function secretsOfContainer(title: string, container: Fields): Use[] {
  const who = `${title} ${stringAt(container, "name", "")}`;
  const one = listAt(container, "env").flatMap((variable) =>
    use(`${who} with envVar ${stringAt(variable, "name", "")} referencing `, stringAt(variable, "valueFrom.secretKeyRef.name")),
  );
  const all = listAt(container, "envFrom").flatMap((source) => use(`${who} with envFrom referencing `, stringAt(source, "secretRef.name")));
  return [...one, ...all];
}

function use(what: string, secret: string | undefined): Use[] {
  return secret === undefined ? [] : [{ what, secret }];
}

function objectionToPullSecrets(spec: Fields, account: KubeObject): string | undefined {
  const allowed = new Set(listAt(account, "imagePullSecrets").map(({ name }) => name));
  const secrets = listAt(spec, "imagePullSecrets");
  const index = secrets.findIndex(({ name }) => !allowed.has(name));
  if (index < 0) return undefined;
  const stray = stringAt(secrets[index], "name", "");
  return `imagePullSecrets[${index}].name="${stray}" is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
}
