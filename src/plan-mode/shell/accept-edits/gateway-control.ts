/** Stopping or restarting the gateway, and changing its settings through its own command. */
import { mentions, namesIn, productOf, UNKNOWN } from "./finding.ts";
import type { EditPlace, Finding } from "./finding.ts";
import type { Argument } from "./resolve.ts";
import type { Invocation } from "./invocation.ts";

const MACHINE_STOPPERS = namesIn("reboot shutdown halt poweroff kexec Stop-Computer Restart-Computer");
const PROCESS_KILLERS = namesIn("kill pkill killall skill xkill fuser taskkill tkill Stop-Process");
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

const GATEWAY_NOUNS = namesIn("gateway daemon service server node");
const GATEWAY_STOPS = namesIn(
  "restart stop kill shutdown reload uninstall disable terminate quit down pause drain install",
);
const READ_VERBS = namesIn(
  "get list ls show view status path paths file validate schema keys describe info inspect check help print search diff log logs export",
);
const SETTING_NOUNS =
  namesIn(`config configure settings plugins plugin skills hooks channels agents models tokens token secrets devices approvals allowlist
  policy policies auth pairing profile mcp cron sandbox permissions users`);
const SETTING_VERBS =
  namesIn(`set unset edit add remove rm delete install uninstall enable disable update upgrade approve revoke create import reset rotate login logout
  link unlink write apply patch allow deny grant init put replace restore migrate`);
const SETTING_COMMANDS = namesIn(
  "configure setup onboard init reset uninstall update upgrade import login logout approve restore migrate",
);

const control = (code: string, matched: string): Finding => ({ class: "gateway-control", code, matched });
const change = (code: string, matched: string): Finding => ({ class: "config-change", code, matched });

const line = ({ name, args }: Invocation): string => [name, ...args.map((argument) => argument.text)].join(" ");

const everything = ({ args, input }: Invocation): string =>
  [...args.flatMap((argument) => [argument.text, argument.hidden]), input?.source ?? "", input?.text ?? ""].join(" ");

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.map((argument) => argument.text).filter((text) => !text.startsWith("-"));

const ownCommand = (invocation: Invocation): Finding | undefined => {
  const operands = operandsOf(invocation.args);
  const shown = line(invocation);
  if (operands.some((operand) => operand.includes(UNKNOWN))) return control("unresolved", shown);
  const noun = operands.findIndex((operand) => GATEWAY_NOUNS.has(operand));
  if (noun !== -1 && operands.slice(noun + 1).some((operand) => GATEWAY_STOPS.has(operand)))
    return control("own-command", shown);
  if (
    operands.includes("doctor") &&
    invocation.args.some((argument) => /^--(?:fix|repair|force|yes)$/.test(argument.text))
  )
    return change("own-doctor", shown);
  return (
    ownSettings(operands, shown) ?? (GATEWAY_STOPS.has(operands[0] ?? "") ? control("own-command", shown) : undefined)
  );
};

const ownSettings = (operands: readonly string[], shown: string): Finding | undefined => {
  const noun = operands.findIndex((operand) => SETTING_NOUNS.has(operand));
  const [verb = "list", ...more] = operands.slice(noun + 1);
  const names = noun !== -1 && !READ_VERBS.has(verb);
  // `config key value` sets without the word `set`.
  const sets =
    [verb, ...more].some((word) => SETTING_VERBS.has(word)) || (operands[noun] === "config" && more.length > 0);
  return (names && sets) || SETTING_COMMANDS.has(operands[0] ?? "") ? change("own-settings", shown) : undefined;
};

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

const killsGateway = (invocation: Invocation, place: EditPlace): boolean => {
  if (!PROCESS_KILLERS.has(invocation.name)) return false;
  // The gateway runs on node, so a kill of every node process is meant for it too.
  const byName = invocation.name === "killall" || invocation.name === "pkill";
  if (!byName && meansGateway(everything(invocation), place)) return true;
  return mentions(everything(invocation), place) || (byName && operandsOf(invocation.args).includes("node"));
};

const stopsMachine = ({ name, args }: Invocation): boolean => {
  const first = operandsOf(args)[0] ?? "";
  if (MACHINE_STOPPERS.has(name)) return !args.some((argument) => /^(?:-c|--help|--show)$/.test(argument.text));
  if (name === "init" || name === "telinit") return /^[016sS]$/.test(first);
  return name === "systemctl" && SYSTEM_STATES.has(first);
};

const stopsService = (invocation: Invocation, place: EditPlace): boolean =>
  SERVICE_MANAGERS.has(invocation.name) &&
  [invocation.name, ...operandsOf(invocation.args)].some((word) => STOPS.has(word) || STOPS_UNIT.test(word)) &&
  mentions(everything(invocation), place);

export const findGatewayControl = (invocation: Invocation, place: EditPlace): Finding | undefined => {
  if (invocation.name === productOf(place)) return ownCommand(invocation);
  if (AGENT_COMMANDS.has(invocation.name)) return agentCommand(invocation);
  if (stopsMachine(invocation)) return control("machine", line(invocation));
  if (killsGateway(invocation, place)) return control("process", line(invocation));
  return stopsService(invocation, place) ? control("service", line(invocation)) : undefined;
};

/** Code that ends its parent, or the gateway by its number. */
export const codeStopsGateway = (code: string, place: EditPlace): Finding | undefined =>
  /\bkill(?:pg)?\b/.test(code) && meansGateway(code, place) ? control("process", code) : undefined;
