/** The gateway by its port: whoever ends what listens there, or sends it orders, means the gateway. */
import { namesIn, UNKNOWN } from "./finding.ts";
import type { EditPlace } from "./finding.ts";
import type { Invocation } from "./invocation.ts";
import type { Argument, Variables } from "./resolve.ts";

const DEFAULT_PORT = 4747;
const KILLS_PORT = namesIn(
  "kill-port killport kill-port-process fkill fkill-cli freeport port-killer portkill cross-port-killer",
);
const LISTS_PORTS = /(?<![\w-])(?:lsof|fuser|ss|netstat|sockstat)(?![\w-])/;
/** Without a port these name every process with a connection. */
const NEEDS_PORT = /(?<![\w-])(?:lsof|fuser)(?![\w-])/;
const PORTS = /(?<![\w.])(\d{2,5})(?:-(\d{2,5}))?(?![\w.])/g;
const COMPUTED = new RegExp(String.raw`\$\{?[A-Za-z_]|${UNKNOWN}`);

const isOwn = (port: number, { ports = [DEFAULT_PORT] }: EditPlace): boolean => ports.includes(port);

/** Whether a selection by port keeps the gateway's, or may: one that is computed, or none at all. */
const selectsOwnPort = (said: string, place: EditPlace): boolean => {
  const ranges = [...said.matchAll(PORTS)].map(([, from, to]) => [Number(from), Number(to ?? from)] as const);
  const own = [...(place.ports ?? [DEFAULT_PORT])];
  if (ranges.some(([from, to]) => own.some((port) => port >= from && port <= to))) return true;
  // What stands in single quotes is for another language, where a dollar means something else.
  return COMPUTED.test(said.replace(/'[^']*'/g, " ")) || (ranges.length === 0 && NEEDS_PORT.test(said));
};

const textsOf = (args: readonly Argument[]): string => args.map(({ text }) => text).join(" ");

/** The sources of what a kill is told, with the values that the line itself gave to its variables. */
const sourcesOf = ({ args, input }: Invocation, variables: Variables): string =>
  [...args.map(({ hidden }) => hidden), input?.source ?? ""]
    .join(" ")
    .replace(/\$\{?([A-Za-z_]\w*)\}?/g, (all: string, name: string) => {
      const [only, ...more] = variables.get(name) ?? [];
      return only === undefined || more.length > 0 || only.text.includes(UNKNOWN) ? all : only.text;
    });

/** `fuser -k 4747/tcp`, `npx kill-port 4747`, `kill $(lsof -ti:4747)`. */
export const killsOwnPort = (invocation: Invocation, place: EditPlace, variables: Variables): boolean => {
  const { name, args } = invocation;
  if (KILLS_PORT.has(name)) return selectsOwnPort(textsOf(args), place);
  if (name === "fuser")
    return args.some(({ text }) => /^-[a-z]*k|^--kill$/.test(text)) && selectsOwnPort(`fuser ${textsOf(args)}`, place);
  const said = sourcesOf(invocation, variables);
  return LISTS_PORTS.test(said) && selectsOwnPort(said, place);
};

const CLIENTS = namesIn("curl wget http https xh websocat wscat nc ncat netcat telnet");
const ADDRESS = /(?:localhost|127(?:\.\d{1,3}){1,3}|0\.0\.0\.0|\[::1?\]|::1)[: ](\d{2,5})(?!\d)/g;
/** How an order is sent; a mere look at a page has none of these. */
const SENDS =
  /(?:^|\s)(?:-d|-F|-T|-X|-[a-zA-Z]*[dFTX]|--(?:data|json|form|upload-file|request|post)\S*|POST|PUT|PATCH|DELETE)(?:\s|=|$)/;
const TALKS = namesIn("websocat wscat nc ncat netcat telnet");

/** An order to the gateway itself, past the tools that it gives. */
export const ordersOwnPort = ({ name, args }: Invocation, place: EditPlace): boolean => {
  if (!CLIENTS.has(name)) return false;
  const said = textsOf(args);
  const isOurs = [...said.matchAll(ADDRESS)].some(([, port]) => isOwn(Number(port), place));
  return isOurs && (TALKS.has(name) || SENDS.test(said));
};
