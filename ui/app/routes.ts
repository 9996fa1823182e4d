/**
 * Every address of the page and the views behind it. A view is one element, loaded when its address is opened first,
 * together with the areas of texts that it uses. `side` is shown beside the main view where there is room.
 */
import { withTexts } from "../i18n/t.ts";
import type { PlainKey } from "../i18n/text-types.ts";

export type View = { readonly tag: string; load(): Promise<unknown> };

type Route = { readonly path: string; readonly title: PlainKey; readonly main: View; readonly side?: View };

const chat: View = { tag: "hp-chat-view", load: () => import("../chat/chat-view.ts") };
const planPane: View = {
  tag: "hp-plan-pane",
  load: () => withTexts(() => import("../review/plan-pane.ts"), "cards", "proof", "review"),
};
const review: View = {
  tag: "hp-review-view",
  load: () => withTexts(() => import("../review/review-view.ts"), "cards", "problems", "proof", "review", "localized"),
};
const timeline: View = {
  tag: "hp-timeline-view",
  load: () => withTexts(() => import("../run/timeline-view.ts"), "run", "localized"),
};
const run: View = {
  tag: "hp-run-view",
  load: () => withTexts(() => import("../run/run-view.ts"), "cards", "problems", "proof", "run", "localized"),
};
const changes: View = {
  tag: "hp-changes-view",
  load: () => withTexts(() => import("../changes/changes-view.ts"), "changes", "proof", "run"),
};
const charts: View = { tag: "hp-charts-view", load: () => withTexts(() => import("../run/charts-view.ts"), "run") };
const audit: View = {
  tag: "hp-audit-view",
  load: () => withTexts(() => import("../run/audit-view.ts"), "run", "localized"),
};
const inbox: View = {
  tag: "hp-inbox-view",
  load: () => withTexts(() => import("../inbox/inbox-view.ts"), "cards", "inbox", "problems", "localized"),
};
const settings: View = {
  tag: "hp-settings-view",
  load: () => withTexts(() => import("../settings/settings-view.ts"), "cards", "inbox", "problems", "run", "settings"),
};
const library: View = {
  tag: "hp-library-view",
  load: () => withTexts(() => import("../library/library-view.ts"), "library"),
};
const record: View = {
  tag: "hp-record-view",
  load: () =>
    withTexts(
      () => import("../plan-record/record-view.ts"),
      "changes",
      "library",
      "proof",
      "record",
      "review",
      "run",
      "localized",
    ),
};
const home: View = { tag: "hp-home-view", load: () => withTexts(() => import("./home-view.ts"), "palette") };

export const ROUTES = {
  home: { path: "/", title: "app.home", main: home },
  inbox: { path: "/inbox", title: "app.inbox", main: inbox },
  session: { path: "/sessions/:sessionId", title: "app.conversation", main: chat, side: planPane },
  plan: { path: "/sessions/:sessionId/plan", title: "app.plan", main: review },
  run: { path: "/sessions/:sessionId/run", title: "app.run", main: run },
  changes: { path: "/sessions/:sessionId/changes", title: "app.changes", main: changes },
  timeline: { path: "/sessions/:sessionId/timeline", title: "app.timeline", main: timeline },
  library: { path: "/plans", title: "app.library", main: library },
  record: { path: "/plans/:planId", title: "app.library", main: record },
  audit: { path: "/audit", title: "app.audit", main: audit },
  charts: { path: "/charts", title: "app.charts", main: charts },
  settings: { path: "/settings", title: "app.settings", main: settings },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

type ParamsIn<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
export type ParamsOf<Name extends RouteName> = { readonly [Key in ParamsIn<(typeof ROUTES)[Name]["path"]>]: string };

export type Place = { name: RouteName; params: Readonly<Record<string, string>>; search: URLSearchParams };

export const routeOf = (name: RouteName): Route => ROUTES[name];

/** Undefined for an address that the page does not have. */
export function placeAt(url: URL): Place | undefined {
  const words = localizedTextOf(url.pathname);
  for (const name of ROUTE_NAMES) {
    const params = matched(localizedTextOf(ROUTES[name].path), words);
    if (params !== undefined) return { name, params, search: url.searchParams };
  }
  return undefined;
}

export function hrefOf<Name extends RouteName>(name: Name, params: ParamsOf<Name>): string {
  const values: Readonly<Record<string, string>> = params;
  return ROUTES[name].path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? ""));
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very table
const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

const localizedTextOf = (path: string): string[] => path.split("/").filter((word) => word !== "");

function matched(pattern: readonly string[], words: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== words.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const word = decoded(words[index] ?? "");
    if (part.startsWith(":") && word !== undefined) params[part.slice(1)] = word;
    else if (part !== word) return undefined;
  }
  return params;
}

function decoded(word: string): string | undefined {
  try {
    return decodeURIComponent(word);
  } catch {
    return undefined; // a stray percent sign leads nowhere
  }
}
