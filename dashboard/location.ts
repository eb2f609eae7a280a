import { signal } from "@preact/signals";

/** Where the page is: the path says which view, the query how it is filtered. */
export const address = signal(new URL(location.href));

addEventListener("popstate", () => (address.value = new URL(location.href)));

/** Goes to a path of the dashboard; `replace` leaves no entry in the history. */
export function goTo(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  address.value = new URL(location.href);
}

/** Sets a part of the query, or takes it away; the view stays. */
export function setQuery(name: string, value: string | undefined): void {
  const next = new URL(location.href);
  if (value === undefined || value === "") next.searchParams.delete(name);
  else next.searchParams.set(name, value);
  goTo(next.pathname + next.search, { replace: true });
}

/** A part of the query; empty when it is not there. */
export function queryOf(name: string): string {
  return address.value.searchParams.get(name) ?? "";
}

/**
 * Follows links of the dashboard without loading it anew. Other links, those within the page, and other buttons and keys are the
 * browser's.
 */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target !== "" || link.hash !== "" || link.hasAttribute("download")) return;
  event.preventDefault();
  goTo(link.pathname + link.search);
}
