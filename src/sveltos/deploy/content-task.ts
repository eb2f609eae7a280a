import { Fault } from "../../core/fault/index.ts";
import { isFields } from "../../core/object/index.ts";
import type { Environment } from "../../lang/sprig/index.ts";
import { contentManifests, receivedContent, sentContent, type ContentManifests, type SentContent } from "./content-manifests.ts";
import type { ContentSource } from "./content-source.ts";
import { aggregationLimits, compileScript, ScriptFault } from "../script/index.ts";
import type { OwnedTasks } from "./owned-tasks.ts";
import { ProfileTemplate, type ProfileTemplateData } from "./profile-template.ts";

/** A text of a profile: a Go template, a Lua script that returns manifests, or manifests. `at` names it. */
type ContentTask = { readonly at: string; readonly text: string } & (
  | { readonly processing: "as it is" }
  | { readonly processing: "by template" | "by script"; readonly data: ProfileTemplateData }
);

/** The handler of a worker that renders a text. Its input comes from `ContentRenderer`. Throws a Fault with file and line. */
export function renderContentTask(input: unknown, environment: Environment): string {
  const task = input as ContentTask;
  const { at, text } = task;
  if (task.processing === "as it is") return text;
  return task.processing === "by template" ? new ProfileTemplate(task.data, environment).render(at, text) : scripted(at, text, task.data);
}

/** The handler of a worker that renders a text and reads the manifests in it. */
export function readContentTask(input: unknown, environment: Environment): SentContent {
  const { at } = input as ContentTask;
  return sentContent(contentManifests(renderContentTask(input, environment), at), at);
}

/** Runs Lua content, which returns its manifests as a text or a list of texts. */
function scripted(at: string, text: string, { resources }: ProfileTemplateData): string {
  try {
    const script = compileScript(text, at, { global: "resources", limits: aggregationLimits });
    const returned = script(Object.fromEntries(resources));
    const made = isFields(returned) ? returned["resources"] : undefined;
    if (typeof made === "string") return made;
    if (Array.isArray(made) && made.every((each) => typeof each === "string")) return made.join("\n---\n");
    throw new ScriptFault("evaluate returned no text under resources; expected manifests");
  } catch (error) {
    if (error instanceof ScriptFault) throw new Fault(`${at}: ${error.message}`, undefined, { final: true });
    throw error;
  }
}

type RendererOptions = {
  readonly environment: Environment;
  /** Runs what others have written elsewhere. Default: here. */
  readonly tasks: OwnedTasks | undefined;
};

/** How much text of one deploy is read in this process, where it takes a few milliseconds. A worker reads what is beyond. */
const maxReadHere = 32 * 2 ** 10;

/** Renders and reads the texts of one deploy with the same data. */
export class ContentRenderer {
  readonly #data: ProfileTemplateData;
  readonly #tasks: OwnedTasks | undefined;
  #readHere = 0;
  readonly #template: ProfileTemplate;

  constructor(data: ProfileTemplateData, { environment, tasks }: RendererOptions) {
    this.#data = data;
    this.#tasks = tasks;
    this.#template = new ProfileTemplate(data, environment);
  }

  /** A text that has no template is as it is. */
  async render(at: string, text: string): Promise<string> {
    if (!text.includes("{{")) return text;
    return this.#tasks === undefined
      ? this.#template.render(at, text)
      : render({ processing: "by template", at, text, data: this.#data }, this.#tasks);
  }

  /** The manifests of a text, after it has been rendered. */
  async manifests(at: string, text: string, processing: ContentSource["processing"]): Promise<ContentManifests> {
    if (processing === "as it is" || (processing === "by template" && !text.includes("{{"))) return this.#plainManifests(at, text);
    if (this.#tasks !== undefined) return readElsewhere({ processing, at, text, data: this.#data }, this.#tasks);
    return contentManifests(processing === "by template" ? this.#template.render(at, text) : scripted(at, text, this.#data), at);
  }

  async #plainManifests(at: string, text: string): Promise<ContentManifests> {
    this.#readHere += text.length;
    if (this.#tasks === undefined || this.#readHere <= maxReadHere) return contentManifests(text, at);
    return readElsewhere({ processing: "as it is", at, text }, this.#tasks);
  }
}

async function readElsewhere(task: ContentTask, tasks: OwnedTasks): Promise<ContentManifests> {
  const { at, text } = task;
  return receivedContent((await tasks.run({ handler: "manifests", input: task, at, madeOf: text })) as SentContent);
}

async function render(task: ContentTask, tasks: OwnedTasks): Promise<string> {
  const { at, text } = task;
  const output = await tasks.run({ handler: "content", input: task, at, madeOf: text });
  if (typeof output !== "string") throw new TypeError(`${at}: the worker answered with no text`);
  return output;
}
