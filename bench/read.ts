/** Reads of one session over WebSocket. */
import { figure, type Group, percentile } from "./figure.ts";
import { load, sessions, withGateway } from "./gateway.ts";

const SESSIONS = 256;
const SECONDS = 3;

export const read: Group = async (report) => {
  await withGateway(async ({ gateway }) => {
    const orders = { method: "sessions.get", sessionIds: await sessions(gateway, SESSIONS) } as const;
    await load(gateway, { ...orders, connections: 8, depth: 16, seconds: 1 });
    const busy = await load(gateway, { ...orders, connections: 8, depth: 32, seconds: SECONDS });
    report(figure("read of one session", busy.requests / busy.seconds, "/s"));
    const alone = await load(gateway, { ...orders, connections: 1, depth: 1, seconds: 1 });
    report(figure("read alone, p50", percentile(alone.latenciesMs, 50), "ms"));
  });
};
