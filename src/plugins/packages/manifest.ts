/** The manifest's text → a checked manifest, or what is wrong with it in one line. No code of the plugin is run. */
import { MANIFEST_BYTES_MAX, MANIFEST_FILE, PluginManifest } from "../../protocol/plugin/plugin-manifest.ts";
import type { PluginAsk } from "../../protocol/plugin/plugin-packages.ts";
import { digestOf } from "../digest-of.ts";
import { parseForeignJson } from "./foreign-json.ts";

const DEPTH_MAX = 24;
const PROBLEMS_MAX = 3;

export type ReadManifest = { ok: true; manifest: PluginManifest } | { ok: false; problem: string };

export function parseManifest(text: string): ReadManifest {
  const json = parseForeignJson(text, { bytesMax: MANIFEST_BYTES_MAX, depthMax: DEPTH_MAX });
  if (!json.ok) return { ok: false, problem: `${MANIFEST_FILE} cannot be used: ${json.problem}.` };
  const parsed = PluginManifest.safeParse(json.value);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, PROBLEMS_MAX).map((issue) => {
      const place = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
      return `${place === "" ? "the whole" : place.replace(/^\./, "")}: ${issue.message}`;
    });
    return { ok: false, problem: `${MANIFEST_FILE} does not fit: ${problems.join("; ")}.` };
  }
  const twice = firstTwice(parsed.data);
  if (twice !== undefined) return { ok: false, problem: `${MANIFEST_FILE} declares ${twice} twice.` };
  return { ok: true, manifest: parsed.data };
}

function firstTwice({ commands, tools, policies, ui }: PluginManifest): string | undefined {
  const names = [
    ...commands.map(({ name }) => `the command /${name}`),
    ...tools.map(({ name }) => `the tool ${name}`),
    ...policies.map((id) => `the policy ${id}`),
    ...ui.map(({ id }) => `the UI contribution ${id}`),
  ];
  return names.find((name, index) => names.indexOf(name) !== index);
}

export function askOf(manifest: PluginManifest): PluginAsk {
  const { trust, needs, commands, tools, policies, hooks } = manifest;
  return {
    trust,
    needs: [...new Set(needs)].toSorted(),
    commands: commands
      .flatMap(({ name, requiredScopes, subcommands = [] }) => [
        `/${name}${inBrackets(requiredScopes)}`,
        ...subcommands.map((sub) => `/${name} ${sub.name}${inBrackets(sub.requiredScopes ?? requiredScopes)}`),
      ])
      .toSorted(),
    tools: tools.map(({ name, effect }) => `${name} (${effect})`).toSorted(),
    policies: policies.toSorted(),
    hooks: [...new Set(hooks)].toSorted(),
  };
}

const inBrackets = (scopes: readonly string[] = ["operator.write"]): string =>
  scopes.length === 0 ? "" : ` (${scopes.toSorted().join(", ")})`;

export const askDigest = (ask: PluginAsk): string => digestOf(ask);

/** What is asked for beyond what was agreed to, a line each; empty: nothing more. */
export function beyondAgreed(ask: PluginAsk, agreed: PluginAsk | null): string[] {
  const trust = ask.trust === "trusted" && agreed?.trust !== "trusted" ? ["to run trusted, inside the gateway"] : [];
  return [
    ...(agreed === null && isModest(ask) ? ["to be switched on"] : []),
    ...trust,
    ...more("the need", ask.needs, agreed?.needs),
    ...more("the command", ask.commands, agreed?.commands),
    ...more("the tool", ask.tools, agreed?.tools),
    ...more("the policy", ask.policies, agreed?.policies),
    ...more("the hook", ask.hooks, agreed?.hooks),
  ];
}

const more = (what: string, asked: readonly string[], had: readonly string[] = []): string[] =>
  asked.filter((one) => !had.includes(one)).map((one) => `${what} ${one}`);

/** A plugin that asks for nothing at all must still be wanted by somebody. */
const isModest = ({ trust, needs, commands, tools, policies, hooks }: PluginAsk): boolean =>
  trust === "ordinary" && [needs, commands, tools, policies, hooks].every((list) => list.length === 0);
