/** Socket mode: an envelope is acknowledged when what is in it is stored. What was not, Slack sends again. */
import { z } from "zod";
import type { VendorEvent, VendorIo } from "../port.ts";
import { keepConnected } from "../wire/keep-connected.ts";
import { jsonCodec, openSocket, type Socket } from "../wire/open-socket.ts";
import type { CallSlack } from "./slack-api.ts";
import { commandEvent, interactionEvent, messageEvent, type SlackMe } from "./slack-event.ts";

const Message = z.object({ type: z.string(), envelope_id: z.string().optional(), payload: z.unknown().optional() });
const Opened = z.looseObject({ url: z.string() });

export type SocketMode = { call: CallSlack; appToken: string; me: SlackMe; io: VendorIo; signal: AbortSignal };

export const askForSocket = async ({ call, appToken, signal }: Pick<SocketMode, "call" | "appToken" | "signal">) =>
  (await call({ method: "apps.connections.open", token: appToken, signal }, Opened)).url;

/** Resolves when Slack has said hello. */
export function slackSocket(parts: SocketMode): Promise<{ ended: Promise<void> }> {
  const { io, signal } = parts;
  return keepConnected({ connect: () => connect(parts), report: io.report, signal });
}

async function connect({ call, appToken, me, io, signal }: SocketMode): Promise<Socket> {
  const url = await askForSocket({ call, appToken, signal });
  const greeted = Promise.withResolvers<void>();
  let isTroubled = false;
  const socket = await openSocket(url, {
    codec: jsonCodec,
    signal,
    failed: (error) => io.report(String(error)),
    async take(received, { send, close }) {
      const { type, envelope_id: id, payload } = Message.safeParse(received).data ?? { type: "" };
      if (type === "hello") return greeted.resolve();
      if (type === "disconnect") return close();
      if (id === undefined) return;
      const event = eventIn(type, payload, me);
      try {
        if (event !== undefined) await io.deliver(event);
      } catch (error) {
        isTroubled = true;
        return io.report(error instanceof Error ? error.message : String(error));
      }
      if (isTroubled) io.report(undefined);
      isTroubled = false;
      send({ envelope_id: id });
    },
  });
  void socket.closed.then(() => greeted.reject(new Error("Slack closed the connection")));
  await greeted.promise;
  return socket;
}

function eventIn(type: string, payload: unknown, me: SlackMe): VendorEvent | undefined {
  switch (type) {
    case "events_api":
      return messageEvent(payload, me);
    case "interactive":
      return interactionEvent(payload);
    case "slash_commands":
      return commandEvent(payload);
    default:
      return undefined;
  }
}
