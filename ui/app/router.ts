/** Where the person is, kept in the address, so that back, forward, reload and a copied link all work. */
import { cell, type Readable } from "../state/cell.ts";
import { hrefOf, type ParamsOf, type Place, placeAt, type RouteName } from "./routes.ts";

export type Router = Readable<Place | undefined> & {
  go<Name extends RouteName>(name: Name, params: ParamsOf<Name>, options?: { replace?: boolean }): void;
  /** An address of the page, with what it searches for. */
  open(href: string): void;
  href: typeof hrefOf;
  /** Ordinary links work without a reload. */
  start(): void;
};

export function createRouter(): Router {
  const place = cell(placeAt(new URL(location.href)));
  const read = (): void => place.set(placeAt(new URL(location.href)));

  function open(href: string, replace: boolean): void {
    if (replace) history.replaceState(null, "", href);
    else history.pushState(null, "", href);
    read();
  }

  function clicked(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    if (link === undefined || link.target !== "" || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || placeAt(url) === undefined || url.hash !== "") return;
    event.preventDefault();
    if (link.href !== location.href) open(link.href, false);
  }

  return {
    get: place.get,
    subscribe: place.subscribe,
    href: hrefOf,
    open: (href) => open(href, false),
    go: (name, params, { replace = false } = {}) => open(hrefOf(name, params), replace),
    start() {
      addEventListener("popstate", read);
      addEventListener("click", clicked);
    },
  };
}

const hasModifier = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  metaKey || ctrlKey || shiftKey || altKey;
