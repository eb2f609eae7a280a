import type { EventTrigger, ManagedCluster } from "../api/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { subdomainProblems, type KubeObject } from "../../core/object/index.ts";
import type { GeneratedNames } from "./generated-names.ts";
import type { Occurrence } from "./occurrence.ts";
import type { ContentName } from "./generated-labels.ts";
import type { TextRenderer } from "./event-templates.ts";

/** A reference to an object of the management cluster. A ClusterProfile has an empty namespace. */
export type HubReference = ContentName & { readonly kind: "ConfigMap" | "Secret" | "ClusterProfile" };

/** What all occurrences of one pass share. */
export type InstantiationContext = {
  readonly trigger: EventTrigger;
  readonly cluster: ManagedCluster;
  readonly templates: TextRenderer;
  readonly names: GeneratedNames;
  /** The live object of the management cluster; undefined: there is none. */
  readonly find: (reference: HubReference) => KubeObject | undefined;
  /** Whether this trigger has generated the object for this cluster. */
  readonly isOurs: (object: KubeObject) => boolean;
};

/** A name is rendered elsewhere and not known yet, so what it names cannot be looked up. */
export class NamePending extends Error {
  override readonly name = "NamePending";
}

/** Builds the profile of one occurrence and its ConfigMaps and Secrets, and collects all problems on the way. */
export class OccurrenceBuilder {
  readonly context: InstantiationContext;
  readonly occurrence: Occurrence;
  readonly problems: Problem[] = [];
  /** A template read the clock or randomness. */
  isNondeterministic = false;
  /** A text is rendered elsewhere: what is built is not whole. */
  isPending = false;
  /** The template that was instantiated last. Labels of the profile name it. */
  template: ContentName | undefined;
  readonly #built = new Map<string, KubeObject>();
  readonly #repeatable: boolean;

  constructor(context: InstantiationContext, occurrence: Occurrence, { repeatable = false }: { readonly repeatable?: boolean } = {}) {
    this.context = context;
    this.occurrence = occurrence;
    this.#repeatable = repeatable;
  }

  /** The ConfigMaps and Secrets built so far. */
  get contents(): readonly KubeObject[] {
    return [...this.#built.values()];
  }

  /** Renders a text of the trigger or of a template. Returns an empty text after a problem, or while it is pending. */
  renderText(at: string, source: string): string {
    const { templates, trigger } = this.context;
    const options = { lenient: trigger.apiGeneration !== "C", repeatable: this.#repeatable };
    const rendered = templates.render(at, source, this.occurrence.input, options);
    if (rendered.state === "pending") {
      this.isPending = true;
      return "";
    }
    if (rendered.state === "failed") {
      this.problems.push(rendered.problem);
      return "";
    }
    this.isNondeterministic ||= rendered.isNondeterministic;
    return rendered.text;
  }

  /** Renders a name, which must not depend on the clock or randomness. Throws NamePending. */
  renderName(at: string, source: string): string {
    const [before, problemCount] = [this.isNondeterministic, this.problems.length];
    this.isNondeterministic = false;
    const wasPending = this.isPending;
    this.isPending = false;
    const name = this.renderText(at, source).trim();
    if (this.isPending) throw new NamePending();
    this.isPending = wasPending;
    if (this.isNondeterministic)
      this.problems.push({ at, message: "a name must be the same every time: it may not come from time or chance" });
    this.isNondeterministic = before;
    if (this.problems.length === problemCount)
      this.problems.push(...subdomainProblems(name).map((message) => ({ at, message: `${JSON.stringify(name)} is no name: ${message}` })));
    return name;
  }

  /** Renders a namespace. An empty one means the namespace of the event's cluster. */
  renderNamespace(at: string, source: string): string {
    return source === "" ? this.context.cluster.namespace : this.renderName(at, source);
  }

  /** Checks that a name which the user has chosen is free or belongs to an object of this trigger. */
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
    this.#built.set(`${content.kind} ${content.metadata.name}`, content);
  }

  hasBuilt({ kind, name }: HubReference): boolean {
    return this.#built.has(`${kind} ${name}`);
  }
}
