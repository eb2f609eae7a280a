import type { Page } from "playwright-core";

/** What a page does that none of ours may do: console errors, exceptions, violations of its policy, requests to other origins. */
export class PageProblems {
  readonly #found: string[] = [];
  readonly #allowed: RegExp | undefined;
  #origin: string | undefined;

  private constructor(allowed: RegExp | undefined) {
    this.#allowed = allowed;
  }

  /** Listens to a page that has loaded nothing yet. */
  static async of(page: Page, allowed?: RegExp): Promise<PageProblems> {
    const problems = new PageProblems(allowed);
    page.on("console", (message) => {
      if (message.type() === "error") problems.#add(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => problems.#add(`exception: ${error.stack ?? error.message}`));
    page.on("request", (request) => problems.#request(request.url(), request.isNavigationRequest()));
    await page.addInitScript(() =>
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        // oxlint-disable-next-line no-console -- the listener above hears it
        console.error(`policy: ${violatedDirective} blocked ${blockedURI}`),
      ),
    );
    return problems;
  }

  get found(): readonly string[] {
    return this.#found;
  }

  /** The first page that is opened says which origin is ours. */
  #request(url: string, isNavigation: boolean): void {
    const { origin, protocol } = new URL(url);
    if (protocol === "data:" || protocol === "blob:" || protocol === "about:") return;
    if (isNavigation) this.#origin ??= origin;
    if (origin !== this.#origin) this.#add(`request to another origin: ${url}`);
  }

  #add(problem: string): void {
    if (this.#allowed?.test(problem) !== true) this.#found.push(problem);
  }
}
