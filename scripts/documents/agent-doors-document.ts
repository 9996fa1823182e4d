/** docs/AGENT-DOORS.md: what holds the agents of others, as `npm run test:long -- agents` saw it and wrote it down. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const AGENT_DOORS_FILE = "docs/agent-doors.json";

export const AgentDoors = z.array(
  z.strictObject({
    agent: z.string(),
    version: z.string(),
    setting: z.string(),
    by: z.enum(["hooks", "kernel"]),
    outcome: z.enum(["closed", "open", "untried"]),
  }),
);
type AgentDoors = z.infer<typeof AgentDoors>;

const HEAD = `<!-- Made by scripts/documents.ts from agent-doors.json: do not edit, run npm run fix. -->

# What holds the agents of others

Each real program was told by a scripted model to write into its project: by its shell, by its file tool and by another program, in the
mode in which it asks nobody. \`closed\`: it wrote nothing. \`open\`: it wrote. Seen by \`npm run test:long -- agents\`, which writes
agent-doors.json anew; \`holdpoint gate doctor\` tries the same with your own agents and settings. Codex skips hooks that nobody has
trusted yet, without a word: its row \`hooks\` is of such ones, \`hooks, trusted\` of those that a person trusts.

`;

const TAIL = `
What nothing holds, and no trial can show: what the model's own service does (hosted search), what is read and told to the model, the agent's
own folder apart from its settings, and everything inside the folder once a plan is approved. See the [guide](guides/agents.md).
`;

export function agentDoorsDocument(root = join(import.meta.dirname, "..", "..")): string {
  const seen = AgentDoors.parse(JSON.parse(readFileSync(join(root, AGENT_DOORS_FILE), "utf8")));
  const agents = [...new Map(seen.map(({ agent, version }) => [agent, version]))];
  const settings = [...new Set(seen.map(({ setting }) => setting))];
  const rows = [
    ["", ...agents.map(([agent, version]) => `${agent} ${version}`)],
    ["---", ...agents.map(() => "---")],
    ...settings.map((setting) => [setting, ...agents.map(([agent]) => cellOf(seen, agent, setting))]),
  ];
  const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `${HEAD}${table}\n\n${sentences(seen)}${TAIL}`;
}

function cellOf(seen: AgentDoors, agent: string, setting: string): string {
  const outcome = seen.find((one) => one.agent === agent && one.setting === setting)?.outcome;
  return outcome === "open" ? "**open**" : (outcome ?? "–");
}

/** What only the kernel holds is what was open with hooks, of agents that wrote nothing under it. */
function sentences(seen: AgentDoors): string {
  const held = new Set(seen.filter((one) => one.by === "kernel" && one.outcome === "closed").map(({ agent }) => agent));
  const open = seen.filter((one) => one.by === "hooks" && one.outcome === "open");
  const only = open.filter(({ agent }) => held.has(agent)).map(({ agent, setting }) => `- ${agent}: ${setting}`);
  const none = open.filter(({ agent }) => !held.has(agent)).map(({ agent, setting }) => `- ${agent}: ${setting}`);
  return [
    `Held by the kernel alone:\n\n${only.join("\n") || "- nothing"}\n`,
    ...(none.length === 0 ? [] : [`Held by nothing that was tried:\n\n${none.join("\n")}\n`]),
  ].join("\n");
}
