/** What the terminal chat prints before its first prompt. */
import { homedir } from "node:os";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { wrap } from "../text/wrap.ts";
import type { Chosen } from "./choose-session.ts";
import { pageLines } from "../text/page-lines.ts";
import type { Link } from "./link.ts";

/** The first lines of a chat: who is there, where it works, and what to do now. */
export async function greeting(
  link: Link,
  { url, chosen, look, page }: { url: string; chosen: Chosen; look: Look; page?: string },
): Promise<string[]> {
  const { version, model } = await link.call("status", {});
  const { paint, columns } = look;
  const folder = chosen.workspace.startsWith(homedir())
    ? `~${chosen.workspace.slice(homedir().length)}`
    : chosen.workspace;
  const agent = model === "demo" ? "the demo agent, which is scripted" : model;
  return [
    "",
    `${paint.accent("◆")} ${paint.strong("Holdpoint")} ${version}${page === undefined ? `  ${paint.quiet(url)}` : ""}`,
    ...wrap(`  ${agent}, in ${sanitiseLine(folder)}`, columns).map(paint.quiet),
    ...(page === undefined ? [] : ["", ...pageLines(page, look)]),
    "",
    ...wrap(
      chosen.resumed
        ? "Welcome back: your last session in this folder goes on. /help lists what you can type."
        : "Say what you want done. /help lists what you can type.",
      columns,
    ),
  ];
}
