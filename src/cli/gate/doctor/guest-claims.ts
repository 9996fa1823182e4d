/** What a plugin from outside cannot reach, tried by one that the doctor writes, installs and switches on. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Attempt, ProbeSession } from "./try-probe.ts";

const ID = "gate-doctor-guest";
const SOURCE = "plugin";

const MANIFEST = {
  id: ID,
  name: "Gate doctor's guest",
  version: "1.0.0",
  description: "Tries what a plugin must not be able to do.",
  entry: "index.js",
  sdk: 1,
  needs: [],
  commands: [{ name: "doctor-guest", description: "Tries something.", requiredScopes: ["operator.approvals"] }],
};

const ENTRY = `import { definePlugin } from "holdpoint/plugin";
const ATTEMPTS = {
  read: async (path) => (await import("node:fs")).readFileSync(path, "utf8"),
  database: async (path) => new (await import("node:sqlite")).DatabaseSync(path),
  process: async () => (await import("node:child_process")).execFileSync("/bin/true"),
  thread: async () => new (await import("node:worker_threads")).Worker("", { eval: true }),
  addon: async () => process.dlopen({ exports: {} }, "/x.node"),
  debugger: async () => (await import("node:inspector")).open(0),
  address: async (url) => (await fetch(url)).status,
};
export default definePlugin({
  id: ${JSON.stringify(ID)}, name: "Guest", description: "Tries something.",
  register(api) {
    api.commands.registerCommand({ name: "doctor-guest", description: "Tries something.", async handler({ args }) {
      const [attempt = "", target = ""] = args.split(" ");
      return ATTEMPTS[attempt](target).then(() => ({ message: "done" }), (error) => ({ message: "no: " + (error.code ?? error.message) }));
    } });
  },
});
`;

/** In words, and as the plugin is told. */
const attemptsOn = ({ home, url }: ProbeSession["gateway"]): [string, string][] => [
  ["read the operator's token", `read ${join(home, "operator.token")}`],
  ["open the gateway's database", `database ${join(home, "store", "holdpoint.db")}`],
  ["start a process", "process"],
  ["start a thread", "thread"],
  ["load an addon", "addon"],
  ["open a debugger", "debugger"],
  ["connect to the gateway", `address ${url}`],
];

export async function tryGuest(session: ProbeSession, report: (attempt: Attempt) => void): Promise<void> {
  const { gateway, sessionId } = session;
  const folder = join(gateway.home, "..", ID);
  await mkdir(folder);
  await writeFile(join(folder, "holdpoint.plugin.json"), JSON.stringify(MANIFEST));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: ID, version: "1.0.0", type: "module" }));
  await writeFile(join(folder, "index.js"), ENTRY);
  const { plugin } = await gateway.link.call("plugins.install", { from: folder });
  await gateway.link.call("plugins.enable", { id: plugin.id, agree: plugin.askDigest });
  for (const [what, attempt] of attemptsOn(gateway)) {
    const text = `/doctor-guest ${attempt}`;
    const said = await gateway.link.call("chat.send", { sessionId, text }).then(
      (answer) => (answer.kind === "command" ? answer.message : "It was taken for a message."),
      (error: unknown) => `no: ${error instanceof Error ? error.message : String(error)}`,
    );
    report({ source: SOURCE, what, held: said.startsWith("no: "), detail: said });
  }
}
