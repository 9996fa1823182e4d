/**
 * The services that pushes may be sent to. A browser names the address, and the gateway must not become a way to send
 * requests to whatever else it can reach.
 */
const KNOWN = [
  "fcm.googleapis.com",
  ".push.services.mozilla.com",
  ".notify.windows.com",
  "web.push.apple.com",
  ".push.apple.com",
];

/** `more`: origins that the configuration allows besides, such as a push service of one's own. */
export function isPushEndpoint(endpoint: string, more: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, origin, port, username, password } = new URL(endpoint);
  if (username !== "" || password !== "") return false;
  if (more.some((one) => URL.canParse(one) && new URL(one).origin === origin)) return true;
  const isKnown = KNOWN.some((name) => (name.startsWith(".") ? hostname.endsWith(name) : hostname === name));
  return protocol === "https:" && port === "" && isKnown;
}
