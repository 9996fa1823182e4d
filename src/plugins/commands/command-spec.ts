/** What is declared of a command, without the handler and the texts that its plugin registers beside it. */
import type { CommandSpec } from "../../protocol/plugin/plugin-manifest.ts";
import type { PluginCommand } from "../api/command.ts";

export function specOf({ handler: _handler, textOf: _textOf, ...spec }: PluginCommand): CommandSpec {
  return { ...spec, description: spec.description ?? `The command /${spec.name}.` };
}
