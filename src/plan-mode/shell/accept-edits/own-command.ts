/** The gateway's own command, by whatever road: its name, its script, an interpreter that is given its script. */
import { namesIn, productOf, UNKNOWN } from "./finding.ts";
import type { EditPlace, Finding } from "./finding.ts";
import { SHELLS } from "./code/interpreters.ts";
import type { Invocation } from "./invocation.ts";
import { languageOf } from "./code/languages.ts";
import { absolutePath } from "./protected-paths.ts";
import type { Argument } from "./resolve.ts";

const GATEWAY_NOUNS = namesIn("gateway daemon service server node");
const GATEWAY_STOPS = namesIn(
  "restart stop kill shutdown reload uninstall disable terminate quit down pause drain install",
);
const READ_VERBS = namesIn(
  "get list ls show view status path paths file validate schema keys describe info inspect check help print search diff log logs export",
);
const SETTING_NOUNS =
  namesIn(`config configure settings plugins plugin skills hooks channels agents models tokens token passkeys passkey secrets devices approvals allowlist
  policy policies auth pair pairing profile mcp cron sandbox permissions users backup backups`);
export const SETTING_VERBS =
  namesIn(`set unset edit add remove rm delete install uninstall enable disable update upgrade approve revoke create import reset rotate login logout
  link unlink write apply patch allow deny grant init put replace restore migrate trust untrust own run proxy pause resume withdraw recover`);
/** `run` and `acp` start any program, and would hide it from these rules. */
const SETTING_COMMANDS = namesIn(
  "run acp configure setup onboard init reset uninstall update upgrade import login logout approve restore migrate migrate-store link open",
);
/** What speaks with the voice of a person: plans are decided by it, sessions are talked to and thrown away. */
const SPEAKING_NOUNS = namesIn("plan plans sessions session review");
const SPEAKING_READS = new Set([...READ_VERBS, "notes"]);

const control = (code: string, matched: string): Finding => ({ class: "gateway-control", code, matched });
const change = (code: string, matched: string): Finding => ({ class: "config-change", code, matched });

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.map((argument) => argument.text).filter((text) => !text.startsWith("-"));

const SCRIPT_ENDING = /\.(?:[cm]?[jt]sx?|sh|bash|py|rb|cmd|bat|ps1)$/;
/** `npm:holdpoint@1`, as deno names a package. */
const plainPackage = (text: string): string => text.replace(/^(?:npm|jsr):/, "").replace(/(?<=.)@[^/]*$/, "");

const isOwnName = (name: string, place: EditPlace): boolean => name.replace(SCRIPT_ENDING, "") === productOf(place);

/** A path that leads to the gateway's program: named like it, inside its package, or the very script that runs. */
const isOwnScript = (given: string, place: EditPlace): boolean => {
  const text = plainPackage(given);
  const base = text.slice(text.lastIndexOf("/") + 1);
  if (isOwnName(base, place) && (text.includes("/") || base !== productOf(place) || text !== given)) return true;
  if (text.includes(`node_modules/${productOf(place)}/`)) return true;
  const whole = absolutePath(text, place);
  return place.scripts?.some((script) => script === whole || script === place.realpath?.(whole)) === true;
};

/** `node --import tsx bin/holdpoint.js stop`: the script is the first operand, or stands behind values of options. */
const ownScriptAt = (args: readonly Argument[], place: EditPlace): number =>
  args.findIndex(
    ({ text }, at) =>
      isOwnScript(text, place) &&
      args
        .slice(0, at)
        .every(
          ({ text: before }, index) =>
            before.startsWith("-") || before === "run" || args[index - 1]?.text.startsWith("-") === true,
        ),
  );

/** What the gateway's command is told, if this is the gateway's command. */
const ownArguments = ({ name, args }: Invocation, place: EditPlace): readonly Argument[] | undefined => {
  if (isOwnName(name, place)) return args;
  if (languageOf(name) === undefined && !SHELLS.has(name)) return undefined;
  const at = ownScriptAt(args, place);
  return at === -1 ? undefined : args.slice(at + 1);
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

/** `plan accept`, `sessions delete`, `chat`: what only a person may say. */
const speaksForPerson = ([noun = "", verb = "list"]: readonly string[]): boolean =>
  noun === "chat" || (SPEAKING_NOUNS.has(noun) && !SPEAKING_READS.has(verb));

export const findOwnCommand = (invocation: Invocation, place: EditPlace): Finding | undefined => {
  const args = ownArguments(invocation, place);
  if (args === undefined) return undefined;
  const operands = operandsOf(args);
  const shown = [invocation.name, ...invocation.args.map((argument) => argument.text)].join(" ");
  if (operands.some((operand) => operand.includes(UNKNOWN))) return control("unresolved", shown);
  const noun = operands.findIndex((operand) => GATEWAY_NOUNS.has(operand));
  if (noun !== -1 && operands.slice(noun + 1).some((operand) => GATEWAY_STOPS.has(operand)))
    return control("own-command", shown);
  if (operands.includes("doctor") && args.some(({ text }) => /^--(?:fix|repair|force|yes)$/.test(text)))
    return change("own-doctor", shown);
  if (speaksForPerson(operands)) return change("own-decision", shown);
  return (
    ownSettings(operands, shown) ?? (GATEWAY_STOPS.has(operands[0] ?? "") ? control("own-command", shown) : undefined)
  );
};
