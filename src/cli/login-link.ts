import type { Scope } from "../protocol/actor.ts";
import type { Link } from "./chat/link.ts";
import type { Address } from "./gateway-link.ts";

/** The page's address with a one-time code behind it, where no server and no Referer ever sees it. */
export async function loginLink(link: Link, { url }: Pick<Address, "url">, scopes?: Scope[]): Promise<string> {
  const { fragment } = await link.call("tokens.link", scopes === undefined ? {} : { scopes });
  const { protocol, host } = new URL(url);
  return `${protocol.replace(/^ws/, "http")}//${host}/${fragment}`;
}
