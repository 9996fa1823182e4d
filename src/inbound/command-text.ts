/**
 * Text that is a command. The sender's own scopes are checked here, before the command's code runs, and what it changes
 * is changed in the sender's name: saying it in a chat needs no less than asking for it by RPC.
 */
import { nearNames } from "../protocol/near-names.ts";
import { answering, type RegisteredCommand, scopesFor } from "../plugins/commands/command-registry.ts";
import { usageWords } from "../plugins/commands/command-words.ts";
import type { PluginHost } from "../plugins/host.ts";
import type { SessionId } from "../protocol/ids.ts";
import { refuse, type Refusal, type Refused } from "../protocol/refusal.ts";
import {
  lines,
  messageOf,
  type LocalizedLine,
  localizedTextOf,
  localized,
} from "../protocol/localized/localized-text.ts";
import type { AnswerOnce } from "./answer-once.ts";
import { type InvocationParts, invoke } from "./invocation.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import { NO_SESSION } from "./no-session.ts";
import type { Sender } from "./sender.ts";

export type CommandParts = InvocationParts & { host: PluginHost; answerOnce: AnswerOnce };

export type TypedCommand = { name: string; args: string };
export type CommandAnswer = { kind: "command"; message: string; said?: LocalizedLine[] };

export type CommandRunning = {
  run(typed: TypedCommand & { sessionId: SessionId }, by: Sender): Promise<CommandAnswer | Refused>;
};

export const createCommandRunning = (parts: CommandParts): CommandRunning => ({
  run: (typed, by) => runCommand(typed, by, parts),
});

/** `/plan accept`, or the line that notifications invite people to send back: `[plan-mode] approve plan_id=…`. */
export function commandIn(text: string): TypedCommand | undefined {
  if (/^\[plan-mode\]\s/i.test(text)) return { name: "plan", args: text };
  if (!text.startsWith("/")) return undefined;
  const [, name = "", args = ""] = /^\/([^\s@]*)(?:@\S*)?\s*([\s\S]*)$/.exec(text) ?? [];
  return { name: name.toLowerCase(), args: args.trim() };
}

export async function runCommand(
  typed: TypedCommand & { sessionId: SessionId },
  by: Sender,
  parts: CommandParts,
): Promise<CommandAnswer | Refused> {
  const command = parts.host.commands.get(typed.name);
  if (command === undefined) return unknownCommand(typed.name, parts.host);
  const scopes = scopesFor(command.spec, typed.args);
  const needed = scopesFor(command.spec, typed.args, by);
  const lacking = lackingScopes(`/${typed.name}`, needed, by.actor.scopes);
  if (lacking !== undefined) return lacking;
  if (command.spec.acceptsArgs === false && typed.args !== "") return tooMuch(command);
  const session = await parts.engine.session(typed.sessionId);
  if (session === undefined) return NO_SESSION;
  const answerer = answering(command, typed.args);
  const { pluginId, handler } = answerer;
  const cause = `/${command.spec.name}`;
  const ran = ranBy(command, typed.args);
  const asked = { pluginId, slice: answerer.slice(), cause, ran, scopes, actor: by.actor, by };
  const reply = await parts.answerOnce(session, by, () =>
    invoke(session, { ...asked, run: (call) => handler({ ...call, args: typed.args }) }, parts),
  );
  return reply.ok
    ? { kind: "command", ...messageOf(localizedTextOf(reply)) }
    : { refused: meant(reply.refusal, command, typed.args) };
}

/** With the subcommand, and without what else was typed: that is the plugin's, and it says what of it the agent may read. */
function ranBy({ spec }: RegisteredCommand, args: string): string {
  const [word = ""] = args.toLowerCase().split(/\s/, 1);
  const isKnown = spec.subcommands?.some(({ name }) => name === word) ?? false;
  return isKnown ? `/${spec.name} ${word}` : `/${spec.name}`;
}

/** Suggests the nearest subcommand when the first word is none. */
function meant(refusal: Refusal, { spec }: RegisteredCommand, args: string): Refusal {
  const names = (spec.subcommands ?? []).map(({ name }) => name);
  const [word = ""] = args.split(/\s/, 1);
  if (refusal.code !== "COMMAND_USAGE" || word === "" || names.includes(word.toLowerCase())) return refusal;
  const [near] = nearNames(word, names);
  const isHelp = word.toLowerCase() === "help"; // what is near to it may hold or decide something
  if (near === undefined && !isHelp) return refusal;
  const command = isHelp ? `/help ${spec.name}` : `/${spec.name} ${near}`;
  const words = lines([localized("didYouMean", { command }), localizedTextOf(refusal)]);
  return { ...refusal, ...messageOf(words) };
}

const tooMuch = (command: RegisteredCommand): Refused =>
  refuse(
    "COMMAND_USAGE",
    lines([
      localized("takesNothing", { command: `/${command.spec.name}` }),
      localized("usage"),
      ...usageWords(command),
    ]),
  );

function unknownCommand(name: string, host: PluginHost): Refused {
  const off = host.disabledCommand(name);
  if (off?.because !== undefined)
    return refuse("PLUGIN_DISABLED", localized("pluginUnusable", { plugin: off.pluginId, because: off.because }));
  if (off !== undefined) {
    return refuse("PLUGIN_DISABLED", localized("pluginCommandOff", { command: `/${name}`, plugin: off.pluginId }));
  }
  const known = host.commands.list().map(({ spec }) => spec.name);
  const [near] = nearNames(name, known);
  const hint =
    near === undefined
      ? localized("knownCommands", { commands: known.map((item) => `/${item}`).join(", ") })
      : localized("didYouMean", { command: `/${near}` });
  const words = lines([localized("noCommand", { command: `/${name.slice(0, 64)}` }), hint]);
  return refuse("COMMAND_UNKNOWN", words, { near: near === undefined ? [] : [near] });
}
