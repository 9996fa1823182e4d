/** Stopping or restarting the gateway, and changing its settings through its own command. */
import { mentions, namesIn, productOf, UNKNOWN } from "./finding.ts";
import type { EditPlace, Finding } from "./finding.ts";
import type { Argument } from "./resolve.ts";
import type { Invocation } from "./invocation.ts";
import { findOwnCommand, SETTING_VERBS } from "./own-command.ts";
import type { Variables } from "./resolve.ts";
import { isProtected } from "./protected-paths.ts";
import { killsOwnPort, namesGateway, ordersOwnPort, selectsGateway } from "./selects-gateway.ts";

const MACHINE_STOPPERS = namesIn("reboot shutdown halt poweroff kexec Stop-Computer Restart-Computer");
const PROCESS_KILLERS = namesIn(
  "kill pkill killall skill xkill fuser taskkill tkill start-stop-daemon killproc Stop-Process",
);
const SERVICE_MANAGERS = namesIn(
  "systemctl service launchctl brew supervisorctl docker podman docker-compose pm2 rc-service sv initctl s6-svc nssm sc schtasks monit runit forever kubectl busctl gdbus dbus-send Stop-Service Restart-Service",
);
const STOPS =
  namesIn(`restart stop kill disable mask reload reload-or-restart try-restart condrestart force-reload bootout unload kickstart remove
  delete down rm pause terminate shutdown quit uninstall exit destroy scale edit set-property revert`);
/** By a message to systemd, or by PowerShell. */
const STOPS_UNIT = /(?:Stop|Restart|Kill|Reload|Disable|Mask)Unit|^(?:Stop|Restart)-Service$/;
const SYSTEM_STATES = namesIn(
  "reboot poweroff halt kexec soft-reboot suspend hibernate rescue emergency isolate exit default",
);

const control = (code: string, matched: string): Finding => ({ class: "gateway-control", code, matched });
const change = (code: string, matched: string): Finding => ({ class: "config-change", code, matched });

const line = ({ name, args }: Invocation): string => [name, ...args.map((argument) => argument.text)].join(" ");

const everything = ({ args, input, reads = "" }: Invocation): string =>
  [...args.flatMap((argument) => [argument.text, argument.hidden]), input?.source ?? "", input?.text ?? "", reads].join(
    " ",
  );

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.map((argument) => argument.text).filter((text) => !text.startsWith("-"));

const AGENT_COMMANDS = namesIn("claude codex gemini opencode");
const AGENT_NOUNS = namesIn("config mcp plugin hooks settings");

/** Agents have settings commands as well: `claude mcp add`, `codex config set`. */
const agentCommand = (invocation: Invocation): Finding | undefined => {
  const operands = operandsOf(invocation.args);
  const changes = operands.some((noun, at) => AGENT_NOUNS.has(noun) && SETTING_VERBS.has(operands[at + 1] ?? ""));
  return changes ? change("agent-settings", line(invocation)) : undefined;
};

/** The gateway's process, by its number or as the parent of the shell or code. */
const meansGateway = (said: string, { pids }: EditPlace): boolean =>
  /\b(?:get)?ppid\b/i.test(said) ||
  (said.match(/\d+/g) ?? []).some((number) => pids?.includes(Number(number)) === true);

const BY_NAME = namesIn("killall pkill");

const killsGateway = (invocation: Invocation, place: EditPlace): boolean => {
  if (!PROCESS_KILLERS.has(invocation.name)) return false;
  const said = everything(invocation);
  if (mentions(said.replace(/\[(\w)\]/g, "$1"), place) || OWN_NUMBER.test(said) || searchesNumbers(said, place))
    return true;
  if (BY_NAME.has(invocation.name)) {
    const words = invocation.args.map((argument) => argument.text);
    return namesGateway(invocation.name, words, place);
  }
  return meansGateway(said, place) || selectsGateway(said, place) || namesOwnFile(said, place);
};

/** The file in which the gateway keeps its number, wherever it is looked for. */
const OWN_NUMBER = /(?<![\w.-])gateway\.pid(?![\w-]|\.\w)/;
const FINDERS = namesIn("find fd fdfind");
const NUMBER_FILE = /\.pid\b/;

/** The folders that are searched for files with numbers, or in which something unknown is looked up. */
const searchedIn = (said: string): readonly string[] => {
  const words = said.split(/[\s"'`();|&]+/).filter((word) => word !== "" && !/^-[HLP]$/.test(word));
  const keepsNumbers = NUMBER_FILE.test(said);
  return words.flatMap((word, at) => {
    if (word.endsWith(`/${UNKNOWN}`)) return [word.slice(0, -UNKNOWN.length - 1)];
    return keepsNumbers && FINDERS.has(word) ? [words[at + 1] ?? "."] : [];
  });
};

/** `find ~ -name '*.pid'`: whatever keeps a number anywhere in a folder that holds the gateway's own, too. */
const searchesNumbers = (said: string, { home }: EditPlace): boolean =>
  searchedIn(said).some((from) => {
    const folder = from.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home).replace(/\/+$/, "");
    return `${home}/`.startsWith(`${folder}/`);
  });

const PATHS = /[^\s'"`$(){}<>|;&=]*\/[^\s'"`$(){}<>|;&]+/g;

/** `kill $(cat ~/.holdpoint/gateway.pid)`: a number that the gateway itself keeps. */
const namesOwnFile = (said: string, place: EditPlace): boolean =>
  (said.match(PATHS) ?? []).some((path) => isProtected(path, place));

const BY_SOURCE = namesIn("kill skill tkill taskkill Stop-Process fuser");

const killsByPort = (invocation: Invocation, place: EditPlace, variables: Variables): boolean =>
  (BY_SOURCE.has(invocation.name) || !PROCESS_KILLERS.has(invocation.name)) &&
  killsOwnPort(invocation, place, variables);

const stopsMachine = ({ name, args }: Invocation): boolean => {
  const first = operandsOf(args)[0] ?? "";
  if (MACHINE_STOPPERS.has(name)) return !args.some((argument) => /^(?:-c|--help|--show)$/.test(argument.text));
  if (name === "init" || name === "telinit") return /^[016sS]$/.test(first);
  return name === "systemctl" && SYSTEM_STATES.has(first);
};

/** `systemctl stop 'hold*'`: a pattern that names part of the gateway's unit. */
const globReaches = (word: string, place: EditPlace): boolean => {
  if (!/[*?]/.test(word) || !/\w/.test(word)) return false;
  const pattern = word
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return ["", ".service", "-gateway.service"].some((end) =>
    new RegExp(`^${pattern}$`).test(`${productOf(place)}${end}`),
  );
};

const stopsService = (invocation: Invocation, place: EditPlace): boolean =>
  SERVICE_MANAGERS.has(invocation.name) &&
  [invocation.name, ...operandsOf(invocation.args)].some((word) => STOPS.has(word) || STOPS_UNIT.test(word)) &&
  (mentions(everything(invocation), place) ||
    meansEveryService(invocation) ||
    operandsOf(invocation.args).some((word) => globReaches(word, place)));

const KEEPS_PROGRAMS = namesIn("pm2 forever supervisorctl");

/** `pm2 stop all`, `pm2 kill`: the gateway may be among what they keep running. */
const meansEveryService = ({ name, args }: Invocation): boolean => {
  const [verb, ...which] = operandsOf(args);
  return KEEPS_PROGRAMS.has(name) && (which.includes("all") || (verb === "kill" && which.length === 0));
};

export const findGatewayControl = (
  invocation: Invocation,
  place: EditPlace,
  variables: Variables,
): Finding | undefined => {
  const own = findOwnCommand(invocation, place);
  if (own !== undefined) return own;
  if (AGENT_COMMANDS.has(invocation.name)) return agentCommand(invocation);
  if (stopsMachine(invocation)) return control("machine", line(invocation));
  if (killsGateway(invocation, place)) return control("process", line(invocation));
  if (killsByPort(invocation, place, variables)) return control("port", line(invocation));
  if (ordersOwnPort(invocation, place)) return control("own-port", line(invocation));
  return stopsService(invocation, place) ? control("service", line(invocation)) : undefined;
};

/** Code that ends its parent, or the gateway by its number. */
export const codeStopsGateway = (code: string, place: EditPlace): Finding | undefined =>
  /\bkill(?:pg)?\b/.test(code) && (meansGateway(code, place) || OWN_NUMBER.test(code))
    ? control("process", code)
    : undefined;
