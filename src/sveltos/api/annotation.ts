type Annotations = Readonly<Record<string, string>> | undefined;

/** On a template ConfigMap or Secret: a trigger renders its content with the event's data into a new object. */
export const instantiateAnnotation = "projectsveltos.io/instantiate";
/** On a ConfigMap or Secret: its content is rendered at deployment, with the data of the cluster. */
export const templateAnnotation = "projectsveltos.io/template";
/** On a ConfigMap or Secret: its content is a Lua script that runs at deployment. */
export const luaAnnotation = "projectsveltos.io/lua";
/** On the copy of an EventSource in a managed cluster. The agent evaluates only copies. */
export const deployedBySveltosAnnotation = "projectsveltos.io/deployed-by-sveltos";
/** On a profile: suspends reconciliation. */
export const profilePausedAnnotation = "profile.projectsveltos.io/paused";
/** On a ClusterProfile: the namespaces whose clusters it selects, separated by commas. Without it: all. */
const clusterNamespacesAnnotation = "sluice.dev/cluster-namespaces";
/** On content: apply the object's status and other subresources too. */
export const subresourcesAnnotation = "projectsveltos.io/subresources";
/** On content: do not treat changes to the object as drift. */
export const driftIgnoreAnnotation = "projectsveltos.io/driftDetectionIgnore";

/** The type that a Secret must have to be referenced as content. */
export const secretContentType = "addons.projectsveltos.io/cluster-profile";

/** The field manager of server-side apply, as in Sveltos. */
export const fieldManager = "application/apply-patch";

export const finalizers = {
  EventSource: "eventsource.finalizer.projectsveltos.io",
  EventTrigger: "eventtrigger.finalizer.projectsveltos.io",
  EventBasedAddOn: "eventtrigger.finalizer.projectsveltos.io",
  ClusterProfile: "clusterprofilefinalizer.projectsveltos.io",
  Profile: "profilefinalizer.projectsveltos.io",
  ClusterSummary: "clustersummaryfinalizer.projectsveltos.io",
  RoleRequest: "rolerequest.finalizer.projectsveltos.io",
} as const;

/**
 * The generation of Sveltos' API that a trigger was written for, which decides what the annotations of ConfigMaps and Secrets
 * mean. It is derived from kind and spec, because an object can be read in either version.
 *
 * - `A`: EventBasedAddOn. Content is always rendered with the event.
 * - `B`: EventTrigger with selectors as text. `template` and `instantiate` both render with the event.
 * - `C`: EventTrigger with selectors as objects. `instantiate` renders with the event, `template` at deployment.
 */
export type ApiGeneration = "A" | "B" | "C";

/** Whether content is rendered with the event's data into a new object. Otherwise profiles reference it as it is. */
export function isInstantiated(apiGeneration: ApiGeneration, annotations: Annotations): boolean {
  if (apiGeneration === "A" || has(annotations, instantiateAnnotation)) return true;
  return apiGeneration === "B" && has(annotations, templateAnnotation);
}

/**
 * The annotations of an instantiated object: those of its template, so that `template` renders it again at deployment.
 * In A and B `template` means the event and is left out: text that came from the event must not be rendered again.
 */
export function instantiatedAnnotations(apiGeneration: ApiGeneration, annotations: Annotations): Readonly<Record<string, string>> {
  const { [templateAnnotation]: template, ...others } = annotations ?? {};
  return apiGeneration === "C" && template !== undefined ? { ...others, [templateAnnotation]: template } : others;
}

/** Whether a profile may select the clusters of a namespace: labels of a cluster are written by whoever writes in its namespace. */
export function selectsNamespace(annotations: Annotations, namespace: string): boolean {
  const named = annotations?.[clusterNamespacesAnnotation];
  return named === undefined || named.split(",").some((each) => each.trim() === namespace);
}

function has(annotations: Annotations, name: string): boolean {
  return annotations?.[name] !== undefined;
}
