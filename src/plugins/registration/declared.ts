/**
 * A manifest is read before the plugin runs, and confirmed when it does: what it registers must be declared, and what is
 * declared should be registered. The first is an error, the second a word of the doctor's.
 */
import type { CommandSpec, PluginManifest } from "../../protocol/plugin/plugin-manifest.ts";
import type { UiDescriptor } from "../../protocol/wire/ui-descriptor.ts";
import { PluginError } from "../plugin-error.ts";
import type { Tool } from "../tool.ts";
import type { Contributions } from "./contributions.ts";

type Declaring = { id: string; manifest: PluginManifest | undefined };

function demand({ id, manifest }: Declaring, what: string, isDeclared: (manifest: PluginManifest) => boolean): void {
  if (manifest === undefined || isDeclared(manifest)) return;
  const message = `${id} registers ${what}, which its manifest does not declare. Its author must add it there.`;
  throw new PluginError({ problem: "not-declared", pluginId: id }, message);
}

/** A tool that is declared as reading may not turn out to write; the other way round is only more careful. */
export const declaredTool = (own: Declaring, { name, effect }: Pick<Tool, "name" | "effect">): void =>
  demand(own, `the tool "${name}" (${effect})`, ({ tools }) =>
    tools.some((tool) => tool.name === name && (effect === "state" || effect === "read" || tool.effect === effect)),
  );

export const declaredPolicy = (own: Declaring, id: string): void =>
  demand(own, `the policy "${id}"`, ({ policies }) => policies.includes(id));

export const declaredHook = (own: Declaring, hook: string): void =>
  demand(own, `the hook "${hook}"`, ({ hooks }) => hooks.includes(hook));

export const declaredUi = (own: Declaring, { id, surface }: Pick<UiDescriptor, "id" | "surface">): void =>
  demand(own, `the UI descriptor "${id}" for ${surface}`, ({ ui }) =>
    ui.some((one) => one.id === id && one.surface === surface),
  );

/** The declared form counts: scopes that people read beforehand cannot shrink when the code runs. */
export function declaredCommand(own: Declaring, spec: CommandSpec): CommandSpec {
  demand(own, `the command /${spec.name}`, ({ commands }) => commands.some(({ name }) => name === spec.name));
  return own.manifest?.commands.find(({ name }) => name === spec.name) ?? spec;
}

/** What the manifest promises and the plugin did not keep. */
export function undelivered({ manifest }: Declaring, has: Contributions): string[] {
  if (manifest === undefined) return [];
  return [
    ...missing("The command", names(manifest.commands), names(has.commands.map(({ spec }) => spec))),
    ...missing("The tool", names(manifest.tools), names(has.tools)),
    ...missing(
      "The policy",
      manifest.policies,
      has.policies.map(({ id }) => id.replace(`${manifest.id}/`, "")),
    ),
    ...missing(
      "The hook",
      manifest.hooks,
      has.hooks.map(({ hook }) => hook),
    ),
    ...missing("The UI descriptor", ids(manifest.ui), ids(has.descriptors)),
  ];
}

const missing = (what: string, declared: readonly string[], given: readonly string[]): string[] =>
  declared.filter((name) => !given.includes(name)).map((name) => `${what} "${name}" is declared and not registered.`);
const names = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name);
const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);
