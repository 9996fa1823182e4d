/** Translated texts about the gateway's own commands, found by their names in the list of all texts. */
import { asIs, isPlainMessageKey, say, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { type RegisteredCommand, usageOf } from "./command-registry.ts";

type Described = Pick<RegisteredCommand, "spec" | "tier">;

/** A command's description; of a subcommand its line of usage, whose second half describes it. */
export function aboutCommand({ spec, tier }: Described, sub?: string): LocalizedText {
  const key = sub === undefined ? `command_${spec.name}` : `usage_${spec.name}_${sub}`;
  if (tier === "bundled" && isPlainMessageKey(key)) return say(key);
  const described = sub === undefined ? spec : spec.subcommands?.find(({ name }) => name === sub);
  return asIs(described?.description ?? "");
}

/** Each usage line. */
export function usageWords(command: Described): LocalizedText[] {
  const { spec, tier } = command;
  const isDescribed = (spec.usage ?? spec.subcommands ?? []).length === 0; // then its description is its usage
  if (isDescribed) return [say("commandLine", { command: `/${spec.name}`, what: aboutCommand(command) })];
  return usageOf(spec).map((line) => {
    const [, sub = ""] = /^\/\S+ ([a-z]+)/.exec(line) ?? [];
    const key = sub === "" ? `usage_${spec.name}` : `usage_${spec.name}_${sub}`;
    return tier === "bundled" && isPlainMessageKey(key) ? say(key) : asIs(line);
  });
}
