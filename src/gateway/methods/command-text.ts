/**
 * Text that is a command. The sender's own scopes are checked here, before the command's code runs, and what it changes
 * is changed in the sender's name: saying it in a chat needs no less than asking for it by RPC.
 */
import { nearNames } from "../../protocol/near-names.ts";
import type { Engine } from "../../engine/engine.ts";
import type { OperatorActor } from "../../http/method-table.ts";
import type { CommandCall } from "../../plugins/command.ts";
import type { PluginHost, RegisteredCommand } from "../../plugins/host.ts";
import type { ParsedParamsOf, ResultOf } from "../../protocol/methods.ts";
import { type Refusal, refuse, type Refused } from "../../protocol/refusal.ts";
import type { Session } from "../../protocol/session.ts";
import type { Store } from "../../store/store.ts";
import type { AnswerOnce, Answered } from "./answer-once.ts";
import { dispatchBy } from "./idempotency.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import { NO_SESSION } from "./sessions.ts";

export type CommandParts = { engine: Engine; store: Store; host: PluginHost; answerOnce: AnswerOnce };

export type TypedCommand = { name: string; args: string };
type Sent = { params: ParsedParamsOf<"chat.send">; actor: OperatorActor };
type CommandAnswer = Extract<ResultOf<"chat.send">, { kind: "command" }> | Refused;

/** `/plan accept`, or the line that notifications invite people to send back: `[plan-mode] approve plan_id=…`. */
export function commandIn(text: string): TypedCommand | undefined {
  if (/^\[plan-mode\]\s/i.test(text)) return { name: "plan", args: text };
  if (!text.startsWith("/")) return undefined;
  const [, name = "", args = ""] = /^\/([^\s@]*)(?:@\S*)?\s*([\s\S]*)$/.exec(text) ?? [];
  return { name: name.toLowerCase(), args: args.trim() };
}

export async function runCommand(typed: TypedCommand, sent: Sent, parts: CommandParts): Promise<CommandAnswer> {
  const command = parts.host.commands.get(typed.name);
  if (command === undefined) return unknownCommand(typed.name, parts.host);
  const lacking = lackingScopes(`/${typed.name}`, command.requiredScopes(typed.args), sent.actor.scopes);
  if (lacking !== undefined) return lacking;
  const session = await parts.engine.session(sent.params.sessionId);
  if (session === undefined) return NO_SESSION;
  const by = dispatchBy(sent.actor, "chat.send", sent.params);
  const reply = await parts.answerOnce(session, by, () => handle({ command, typed, session, sent }, parts));
  return reply.ok ? { kind: "command", message: reply.message } : { refused: reply.refusal };
}

type Handled = { command: RegisteredCommand; typed: TypedCommand; session: Session; sent: Sent };

async function handle({ command, typed, session, sent }: Handled, parts: CommandParts): Promise<Answered> {
  let applied = false;
  const call: CommandCall = {
    args: typed.args,
    session,
    actor: sent.actor,
    async apply(order) {
      if (command.slice === undefined) return { ok: false, refusal: NO_SLICE };
      if (applied) throw new Error(`/${command.name} applied a second command to one message`);
      applied = true;
      const by = dispatchBy(sent.actor, "chat.send", sent.params);
      return parts.engine.dispatch(session.id, { type: "slice.apply", slice: command.slice, command: order }, by);
    },
    async artifact(kind, id) {
      const found = await parts.store.artifact(kind, id);
      return found?.sessionId === session.id ? found.body : undefined;
    },
  };
  return { reply: await command.handler(call), applied };
}

const NO_SLICE: Refusal = { code: "UNKNOWN_SLICE", message: "The plugin of this command keeps no state in sessions." };

function unknownCommand(name: string, host: PluginHost): Refused {
  const known = [...host.commands.keys()];
  const [near] = nearNames(name, known);
  const hint =
    near === undefined ? `Known are ${known.map((item) => `/${item}`).join(", ")}.` : `Did you mean /${near}?`;
  const message = `There is no command /${name.slice(0, 64)}. ${hint} A message cannot begin with a slash.`;
  return refuse("COMMAND_UNKNOWN", message, { near: near === undefined ? [] : [near] });
}
