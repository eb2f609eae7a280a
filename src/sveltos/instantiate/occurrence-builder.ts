import type { EventTrigger, ManagedCluster } from "../api/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { subdomainProblems, type KubeObject } from "../../core/object/index.ts";
import type { GeneratedNames } from "./generated-names.ts";
import type { Occurrence } from "./occurrence.ts";
import type { ContentName } from "./origin.ts";
import type { EventTemplates } from "./event-templates.ts";

/** An object of the management cluster that is asked for. A ClusterProfile has an empty namespace. */
export type HubReference = ContentName & { readonly kind: "ConfigMap" | "Secret" | "ClusterProfile" };

/** What stays the same for all the occurrences of an event. */
export type InstantiationContext = {
  readonly trigger: EventTrigger;
  readonly cluster: ManagedCluster;
  readonly templates: EventTemplates;
  readonly names: GeneratedNames;
  /** The object as it is in the management cluster; undefined where there is none. */
  readonly find: (reference: HubReference) => KubeObject | undefined;
  /** Tells whether an object is one that this trigger has generated for this cluster. */
  readonly isOurs: (object: KubeObject) => boolean;
};

/** The making of one profile and its ConfigMaps and Secrets; it gathers all that goes wrong on the way. */
export class OccurrenceBuilder {
  readonly context: InstantiationContext;
  readonly occurrence: Occurrence;
  readonly problems: Problem[] = [];
  /** Some text asked for the time or for chance. */
  isNondeterministic = false;
  /** The template that was instantiated last; its name is on the profile. */
  template: ContentName | undefined;
  private readonly built = new Map<string, KubeObject>();
  private readonly repeatable: boolean;

  constructor(context: InstantiationContext, occurrence: Occurrence, { repeatable = false }: { readonly repeatable?: boolean } = {}) {
    this.context = context;
    this.occurrence = occurrence;
    this.repeatable = repeatable;
  }

  /** The ConfigMaps and Secrets that were made. */
  get contents(): readonly KubeObject[] {
    return [...this.built.values()];
  }

  /** A text of the trigger or of a template; empty where it cannot be rendered. */
  renderText(at: string, source: string): string {
    const { templates, trigger } = this.context;
    const options = { lenient: trigger.generation !== "C", repeatable: this.repeatable };
    const rendered = templates.render(at, source, this.occurrence.data, options);
    if (rendered.state === "failed") {
      this.problems.push(rendered.problem);
      return "";
    }
    this.isNondeterministic ||= rendered.drawn;
    return rendered.text;
  }

  /** A name, which must be one and the same in every pass. */
  renderName(at: string, source: string): string {
    const [isNondeterministic, failures] = [this.isNondeterministic, this.problems.length];
    this.isNondeterministic = false;
    const name = this.renderText(at, source).trim();
    if (this.isNondeterministic)
      this.problems.push({ at, message: "a name must be the same every time: it may not come from time or chance" });
    this.isNondeterministic = isNondeterministic;
    if (this.problems.length === failures)
      this.problems.push(...subdomainProblems(name).map((message) => ({ at, message: `${JSON.stringify(name)} is no name: ${message}` })));
    return name;
  }

  /** A namespace; the one of the cluster of the event where none is written. */
  renderNamespace(at: string, source: string): string {
    return source === "" ? this.context.cluster.namespace : this.renderName(at, source);
  }

  /** Takes a name that a user has chosen, unless it belongs to something else. */
  reserveName(at: string, reference: HubReference): void {
    const found = reference.name === "" ? undefined : this.context.find(reference);
    if (found === undefined) return;
    const title = `${reference.kind} ${reference.name}`;
    if (!this.context.isOurs(found))
      this.problems.push({ at, message: `${title} exists and was not made by this trigger: choose another name` });
    else if (found.metadata.deletionTimestamp !== undefined)
      this.problems.push({ at, message: `${title} is being deleted; it is made again when it is gone` });
  }

  add(content: KubeObject): void {
    this.built.set(`${content.kind} ${content.metadata.name}`, content);
  }

  hasBuilt({ kind, name }: HubReference): boolean {
    return this.built.has(`${kind} ${name}`);
  }
}
