type Annotations = Readonly<Record<string, string>> | undefined;

/** On a template ConfigMap or Secret: its content is rendered with the data of the event, into a new object. */
export const instantiateAnnotation = "projectsveltos.io/instantiate";
/** On a ConfigMap or Secret: its content is rendered when it is deployed, with the data of the cluster. */
export const templateAnnotation = "projectsveltos.io/template";
/** On a ConfigMap or Secret: its content is a Lua script that is run when it is deployed. */
export const luaAnnotation = "projectsveltos.io/lua";
/** On an EventTrigger: sprig's text functions instead of its HTML ones. */
export const textTemplateAnnotation = "projectsveltos.io/tex-template";
/** On the copy of an EventSource in a managed cluster; the agent evaluates no other. */
export const deployedBySveltosAnnotation = "projectsveltos.io/deployed-by-sveltos";
/** On a profile: nothing is done for it while the annotation is there. */
export const profilePausedAnnotation = "profile.projectsveltos.io/paused";
/** On content: the object's status and other subresources are applied too. */
export const subresourcesAnnotation = "projectsveltos.io/subresources";
/** On content: changes to the object are not drift. */
export const driftIgnoreAnnotation = "projectsveltos.io/driftDetectionIgnore";
/** On a cluster: the shard that owns it. */
export const shardAnnotation = "sharding.projectsveltos.io/key";

/** The type that a Secret must have to be referred to as content. */
export const secretContentType = "addons.projectsveltos.io/cluster-profile";

/** The name under which Sveltos, and we, apply objects. */
export const fieldManager = "application/apply-patch";

export const finalizers = {
  EventSource: "eventsource.finalizer.projectsveltos.io",
  EventTrigger: "eventtrigger.finalizer.projectsveltos.io",
  EventBasedAddOn: "eventtrigger.finalizer.projectsveltos.io",
  ClusterProfile: "clusterprofilefinalizer.projectsveltos.io",
  Profile: "profilefinalizer.projectsveltos.io",
  ClusterSummary: "clustersummaryfinalizer.projectsveltos.io",
} as const;

/**
 * What the writer of a trigger takes the annotations of ConfigMaps and Secrets to mean. It is told by kind and shape,
 * because an object can be read in either version, whichever it was written in.
 *
 * - `A`: EventBasedAddOn. Content is always rendered with the event.
 * - `B`: EventTrigger with selectors as text. `template` means what `instantiate` means later; both are accepted.
 * - `C`: EventTrigger with selectors as objects. `instantiate` is for the event, `template` for the deployment.
 */
export type ApiGeneration = "A" | "B" | "C";

/** Tells whether content is rendered with the event's data into an object of its own; otherwise it is referred to as it is. */
export function isInstantiated(generation: ApiGeneration, annotations: Annotations): boolean {
  if (generation === "A" || has(annotations, instantiateAnnotation)) return true;
  return generation === "B" && has(annotations, templateAnnotation);
}

/**
 * The annotations of an instantiated object: the template's own, so that one with `template` is rendered once more when
 * it is deployed. Where `template` already meant the event (A and B) it is left out: what an event put into the text must
 * not be taken for a template again.
 */
export function instantiatedAnnotations(generation: ApiGeneration, annotations: Annotations): Readonly<Record<string, string>> {
  const { [templateAnnotation]: template, ...others } = annotations ?? {};
  return generation === "C" && template !== undefined ? { ...others, [templateAnnotation]: template } : others;
}

/** Tells whether content is rendered when it is deployed. */
export function isDeployTemplate(annotations: Annotations): boolean {
  return has(annotations, templateAnnotation);
}

function has(annotations: Annotations, name: string): boolean {
  return annotations?.[name] !== undefined;
}
