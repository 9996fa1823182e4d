/** What is said about a command. One that brings texts has them under its name: `command_plan`, `usage_plan_on`. */
import { asIs, type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";
import { type RegisteredCommand, usageOf } from "./command-registry.ts";

type Described = Pick<RegisteredCommand, "spec" | "textOf">;

/** A command's description; of a subcommand its line of usage, whose second half describes it. */
export function aboutCommand({ spec, textOf }: Described, sub?: string): LocalizedText {
  const key = sub === undefined ? `command_${spec.name}` : usageKey(spec.name, sub);
  const described = sub === undefined ? spec : spec.subcommands?.find(({ name }) => name === sub);
  return textOf?.(key) ?? asIs(described?.description ?? "");
}

/** Each usage line. */
export function usageWords(command: Described): LocalizedText[] {
  const { spec, textOf } = command;
  const isDescribed = (spec.usage ?? spec.subcommands ?? []).length === 0; // then its description is its usage
  if (isDescribed) return [localized("commandLine", { command: `/${spec.name}`, what: aboutCommand(command) })];
  return usageOf(spec).map((line) => {
    const [, sub = ""] = /^\/\S+ ([a-z][a-z-]*)/.exec(line) ?? [];
    const key = sub === "" ? `usage_${spec.name}` : usageKey(spec.name, sub);
    return textOf?.(key) ?? asIs(line);
  });
}

/** Keys of texts hold no hyphens; names of subcommands may. */
const usageKey = (name: string, sub: string): string => `usage_${name}_${sub.replaceAll("-", "_")}`;
