/** A hostile plugin beside the hostile agent: the example of that name, installed and switched on as an operator would. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WireClient } from "../kit/wire-client.ts";
import type { BesiegedPlace } from "./besieged-place.ts";
import type { Tried } from "./hostile-model.ts";
import { tracesIn } from "./traces.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/plugins/hostile", import.meta.url));

export type GuestAttack = { tryAll(): Promise<{ tried: Tried; broke: string[] }> };

export async function attackByPlugin(client: WireClient, place: BesiegedPlace): Promise<GuestAttack> {
  const { plugin } = await client.must("plugins.install", { from: EXAMPLE });
  await client.must("plugins.enable", { id: plugin.id, agree: plugin.askDigest });
  const { session } = await client.must("sessions.create", {});
  return {
    async tryAll() {
      const tried: Tried = {};
      const broke: string[] = [];
      for (const attempt of attemptsOn(place)) {
        const name = `plugin: ${attempt.split(" ")[0]}`;
        const answer = await client.request("chat.send", { sessionId: session.id, text: `/hostile ${attempt}` });
        const said = JSON.stringify(answer ?? null);
        if (!said.includes("starts again in")) tried[name] = (tried[name] ?? 0) + 1;
        const seen = tracesIn(said);
        if (seen.length > 0) broke.push(`${name}: it was shown ${seen.join(", ")}`);
        else if (answer?.ok === true && said.includes("connected")) broke.push(`${name}: it connected`);
      }
      return { tried, broke };
    },
  };
}

const attemptsOn = ({ home, person, sockets, workspace }: BesiegedPlace): string[] => [
  `read ${join(home, "canary.txt")}`,
  `read ${join(home, "operator.token")}`,
  `read ${join(person, ".ssh/id_ed25519")}`,
  `read ${join(workspace, "door/canary.txt")}`,
  `list ${home}`,
  "env",
  "spawn",
  "thread",
  "addon",
  `sqlite-import ${join(home, "store/holdpoint.db")}`,
  `sqlite-builtin ${join(home, "store/holdpoint.db")}`,
  `write ${join(workspace, "pre-plugin")}`,
  ...sockets.map((path) => `unix-socket ${path}`),
];
