/** Posts signed requests to the webhook of a gateway, as somebody's program does. */
import type { HoldpointClient } from "../../../src/client/index.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import { signedHook } from "./fake-webhook.ts";

const HOOK_PERSON = { id: "501", name: "Alice" };

type HookPoster = {
  /** The status; 0 where nobody answered. */
  post(gatewayUrl: string, body: object, id: string): Promise<number>;
};

export const hookPoster = (nowMs: () => number): HookPoster => ({
  async post(gatewayUrl, body, id) {
    const whole = { type: "message", person: HOOK_PERSON, ...body };
    const { headers, body: bytes } = signedHook(whole, { id, at: nowMs() });
    const address = `${gatewayUrl.replace(/^ws/, "http").replace(/\/ws$/, "")}/hooks/webhook/webhook`;
    const request = { method: "POST", headers: headers as Record<string, string>, body: new Uint8Array(bytes) };
    return fetch(address, request).then(
      ({ status }) => status,
      () => 0,
    );
  },
});

/** What people said in a session, in its order, as far as it looks so. */
export async function inputsOf(client: HoldpointClient, sessionId: SessionId, look: RegExp): Promise<string[]> {
  const { items } = await client.call("chat.history", { sessionId, limit: 200 });
  const texts = items.flatMap(({ entry }) => (entry.kind === "input" ? [entry.text] : []));
  return texts.flatMap((text) => [...text.matchAll(look)].map(([found]) => found));
}

export async function decisionsOf(client: HoldpointClient, sessionId: SessionId): Promise<(string | undefined)[]> {
  const { rows } = await client.call("audit.list", { sessionId });
  return rows.flatMap(({ body }) => [...body.matchAll(/"decision":"(\w+)"/g)].map(([, what]) => what));
}
