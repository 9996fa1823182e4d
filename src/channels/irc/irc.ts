/** IRC over a plain socket: a dozen commands, so irc-framework (9 MiB, 55 packages) is not loaded for them. */
import { hash } from "node:crypto";
import { createLanes } from "../../lane/lane.ts";
import {
  type Checked,
  defineChannel,
  type Out,
  SendError,
  type VendorEvent,
  type VendorIo,
  type VendorPort,
} from "../port.ts";
import type { IrcSettings } from "../protocol/vendors/irc-settings.ts";
import { keepConnected } from "../wire/keep-connected.ts";
import { isCommand } from "../wire/is-command.ts";
import { nameCut } from "../wire/name-cut.ts";
import { pause } from "../wire/pause.ts";
import { whenConnected } from "../wire/when-connected.ts";
import { connectIrc, type IrcConnection } from "./irc-connection.ts";
import { type IrcLine, isChannel, isTarget, textLines } from "./irc-line.ts";

/** Lines that may follow each other at once. */
const BURST = 10;

export const irc = defineChannel("irc", ({ settings, now }) => createIrc(settings, now));

function createIrc(settings: IrcSettings, now: () => number): VendorPort {
  const stopping = new AbortController();
  const lanes = createLanes();
  let standing = Promise.withResolvers<IrcConnection>();
  let connected: Promise<void> | undefined;
  let numbers = 0;

  const take = (line: IrcLine, nick: string, io: VendorIo): void => {
    const event = line.command === "PRIVMSG" ? messageEvent(line, { nick, id: `${now()}:${++numbers}` }) : undefined;
    if (event !== undefined)
      void lanes.run("in", () => io.deliver(event)).catch((error: unknown) => io.report(String(error)));
  };
  const connect = (io: VendorIo) => async () => {
    const channels = settings.groups.allow.filter((name) => isChannel(name) && isTarget(name));
    const open = await connectIrc({
      settings,
      channels,
      onLine: (line, nick) => take(line, nick, io),
      signal: stopping.signal,
    });
    standing.resolve(open);
    return { send: () => undefined, close: open.close, closed: lost(open) };
  };

  async function lost(open: IrcConnection): Promise<number> {
    await open.closed;
    standing = Promise.withResolvers();
    return 0;
  }

  return {
    connects: true,
    check: (signal) => check(settings, signal),
    async start(io) {
      const { ended } = await keepConnected({ connect: connect(io), report: io.report, signal: stopping.signal });
      connected = ended;
    },
    async send(conversation, out, { signal }) {
      if (!isTarget(conversation)) throw new SendError(`${conversation} is nobody on IRC`, { retry: "never" });
      return lanes.run("out", async () => {
        const open = await whenConnected(standing.promise, "IRC", AbortSignal.any([signal, stopping.signal]));
        await sayAll(textOf(out), { conversation, open, settings, signal: stopping.signal });
        return { messageId: `irc-${++numbers}-${now()}` };
      });
    },
    async stop() {
      stopping.abort();
      await connected;
      await lanes.idle();
    },
  };
}

const textOf = (out: Out): string => (out.kind === "file" ? out.file.caption.text : out.body.text);

type Saying = { conversation: string; open: IrcConnection; settings: IrcSettings; signal: AbortSignal };

/** A server cuts off whoever sends too much at once, so what is long takes its time. */
async function sayAll(text: string, { conversation, open, settings, signal }: Saying): Promise<void> {
  const lines = textLines(text).map((line) => `PRIVMSG ${conversation} :${line}`);
  const waitMs = (BURST * 1_000) / settings.linesPerSecond;
  const bursts = Array.from({ length: Math.ceil(lines.length / BURST) }, (_, at) =>
    lines.slice(at * BURST, (at + 1) * BURST),
  );
  for (const [at, burst] of bursts.entries()) {
    if (at > 0) await pause(waitMs, signal);
    await open.say(burst, at === bursts.length - 1);
  }
}

type Heard = { nick: string; id: string };

function messageEvent({ tags, source, params }: IrcLine, { nick, id }: Heard): VendorEvent | undefined {
  const [target = "", text = ""] = params;
  if (source === "" || source === nick || text.startsWith("\u0001")) return undefined;
  const group = isChannel(target) ? target : undefined;
  const named = nameCut(text, nick);
  const said = named ?? text;
  return {
    kind: "message",
    eventId: `message:${tags.get("msgid") ?? hash("sha256", `${id} ${source} ${text}`).slice(0, 32)}`,
    text: said,
    addressed: group === undefined || named !== undefined || isCommand(said),
    ...(group === undefined ? { conversation: source, direct: true } : { conversation: group, direct: false, group }),
    person: personOf(tags.get("account"), source),
  };
}

/** An account that the server names is somebody; a nick is whoever has taken it. */
const personOf = (account: string | undefined, nick: string): VendorEvent["person"] =>
  account === undefined
    ? { id: `nick:${nick.toLowerCase()}`, assured: false, name: nick }
    : { id: `account:${account.toLowerCase()}`, assured: true, name: nick };

async function check(settings: IrcSettings, signal: AbortSignal): Promise<Checked> {
  try {
    const open = await connectIrc({ settings, channels: [], onLine: () => undefined, signal });
    open.close();
    return { ok: true, me: open.nick };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem, fix: "Look at host, port, tls, and the account with its password." };
  }
}
