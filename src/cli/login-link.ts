/**
 * The link that logs a browser in. Its one-time code stands behind the `#`, which neither servers nor Referer headers
 * see.
 */
import type { Scope } from "../protocol/actor.ts";
import type { Link } from "./chat/link.ts";
import type { Address } from "./gateway-link.ts";

export async function loginLink(link: Link, { url }: Pick<Address, "url">, scopes?: Scope[]): Promise<string> {
  const { fragment, page } = await link.call("tokens.link", scopes === undefined ? {} : { scopes });
  if (page !== undefined) return `${page}/${fragment}`;
  const { protocol, host } = new URL(url);
  return `${protocol.replace(/^ws/, "http")}//${host}/${fragment}`;
}
