import type { EventTrigger, ManagedCluster } from "../api/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { subdomainProblems, type KubeObject } from "../../core/object/index.ts";
import type { Names } from "./names.ts";
import type { Occurrence } from "./occurrence.ts";
import type { ContentName } from "./origin.ts";
import type { EventTemplates } from "./templates.ts";

/** An object of the management cluster that is asked for. A ClusterProfile has an empty namespace. */
export type Reference = ContentName & { readonly kind: "ConfigMap" | "Secret" | "ClusterProfile" };

/** What stays the same for all the occurrences of an event. */
export type Setting = {
  readonly trigger: EventTrigger;
  readonly cluster: ManagedCluster;
  readonly templates: EventTemplates;
  readonly names: Names;
  /** The object as it is in the management cluster; undefined where there is none. */
  readonly find: (reference: Reference) => KubeObject | undefined;
  /** Tells whether an object is one that this trigger has generated for this cluster. */
  readonly isOurs: (object: KubeObject) => boolean;
};

/** The making of one profile and its ConfigMaps and Secrets; it gathers all that goes wrong on the way. */
export class Drafting {
  readonly setting: Setting;
  readonly occurrence: Occurrence;
  readonly problems: Problem[] = [];
  /** Some text asked for the time or for chance. */
  drawn = false;
  /** The template that was instantiated last; its name is on the profile. */
  template: ContentName | undefined;
  private readonly made = new Map<string, KubeObject>();
  private readonly repeatable: boolean;

  constructor(setting: Setting, occurrence: Occurrence, { repeatable = false }: { readonly repeatable?: boolean } = {}) {
    this.setting = setting;
    this.occurrence = occurrence;
    this.repeatable = repeatable;
  }

  /** The ConfigMaps and Secrets that were made. */
  get contents(): readonly KubeObject[] {
    return [...this.made.values()];
  }

  /** A text of the trigger or of a template; empty where it cannot be rendered. */
  text(at: string, source: string): string {
    const { templates, trigger } = this.setting;
    const options = { lenient: trigger.generation !== "C", repeatable: this.repeatable };
    const rendered = templates.render(at, source, this.occurrence.data, options);
    if (rendered.state === "failed") {
      this.problems.push(rendered.problem);
      return "";
    }
    this.drawn ||= rendered.drawn;
    return rendered.text;
  }

  /** A name, which must be one and the same in every pass. */
  name(at: string, source: string): string {
    const [drawn, troubles] = [this.drawn, this.problems.length];
    this.drawn = false;
    const name = this.text(at, source).trim();
    if (this.drawn) this.problems.push({ at, message: "a name must be the same every time: it may not come from time or chance" });
    this.drawn = drawn;
    if (this.problems.length === troubles)
      this.problems.push(...subdomainProblems(name).map((message) => ({ at, message: `${JSON.stringify(name)} is no name: ${message}` })));
    return name;
  }

  /** A namespace; the one of the cluster of the event where none is written. */
  namespace(at: string, source: string): string {
    return source === "" ? this.setting.cluster.namespace : this.name(at, source);
  }

  /** Takes a name that a user has chosen, unless it belongs to something else. */
  claim(at: string, reference: Reference): void {
    const found = reference.name === "" ? undefined : this.setting.find(reference);
    if (found === undefined) return;
    const title = `${reference.kind} ${reference.name}`;
    if (!this.setting.isOurs(found))
      this.problems.push({ at, message: `${title} exists and was not made by this trigger: choose another name` });
    else if (found.metadata.deletionTimestamp !== undefined)
      this.problems.push({ at, message: `${title} is being deleted; it is made again when it is gone` });
  }

  add(content: KubeObject): void {
    this.made.set(`${content.kind} ${content.metadata.name}`, content);
  }

  isMade({ kind, name }: Reference): boolean {
    return this.made.has(`${kind} ${name}`);
  }
}
