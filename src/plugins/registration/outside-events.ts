/** The api for outside events: channels, and commands to the plugin's own slice in any session. */
import { hash } from "node:crypto";
import { SessionId } from "../../protocol/ids.ts";
import { pluginSlice } from "../../protocol/plugin/plugin-state.ts";
import type { Session } from "../../protocol/session.ts";
import type { Channel, ChannelIo } from "../api/channel.ts";
import type { PluginSession } from "../api/command.ts";
import type { OutsideSessions } from "../api/outside-sessions.ts";
import { canonicalJson } from "../../protocol/text/canonical-json.ts";
import { type Loaded, machineOf } from "./contributions.ts";
import type { Rights } from "./rights.ts";

const CHANNEL_ID = /^[a-z][a-z0-9-]{0,31}$/;
/** Surfaces of the gateway itself: no channel may use their names. */
const OWN_SURFACES: ReadonlySet<string> = new Set(["web", "page", "terminal", "cli", "api"]);

export function registerChannel(channel: Channel, rights: Rights): void {
  rights.trusted("a channel");
  if (!CHANNEL_ID.test(channel.id) || OWN_SURFACES.has(channel.id))
    throw rights.fail("invalid", `"${channel.id}" cannot name a channel`);
  rights.stage("channels", guarded(channel, rights));
}

/** What a channel brings in is a change, whoever's command it is that makes it bring something in. */
function guarded(channel: Channel, { mayChange }: Rights): Channel {
  const guardedIo = (io: ChannelIo): ChannelIo => ({
    async receive(event) {
      mayChange();
      return io.receive(event);
    },
    mayWrite: (account, person) => io.mayWrite(account, person),
    async follow(place, follows) {
      mayChange();
      return io.follow(place, follows);
    },
    async unfollow(place) {
      mayChange();
      return io.unfollow(place);
    },
    notes: {
      get: (account, key) => io.notes.get(account, key),
      async set(account, key, note) {
        mayChange();
        return io.notes.set(account, key, note);
      },
      async add(account, key, note) {
        mayChange();
        return io.notes.add(account, key, note);
      },
    },
    hold: (account) => io.hold(account),
    resume: (account) => io.resume(account),
    pageOf: (sessionId) => io.pageOf(sessionId),
  });
  return {
    id: channel.id,
    start: (io) => channel.start(guardedIo(io)),
    deliver: (batch) => channel.deliver(batch),
    ...(channel.serves === undefined
      ? {}
      : { serves: (account: string) => channel.serves?.(account) ?? ("anywhere" as const) }),
    ...(channel.webhook === undefined
      ? {}
      : { webhook: (...asked: Parameters<typeof channel.webhook>) => channel.webhook?.(...asked) ?? NOBODY }),
    ...(channel.stop === undefined ? {} : { stop: () => channel.stop?.() }),
  };
}

const NOBODY = Promise.resolve({ status: 404, body: "{}" });

export function outsideSessionsOf(own: Loaded, rights: Rights): OutsideSessions {
  const sessions = () => {
    rights.trusted("commands from outside");
    return rights.running().sessions;
  };
  return {
    async read(sessionKey) {
      const id = SessionId.safeParse(sessionKey);
      const session = id.success ? await sessions().session(id.data) : undefined;
      return session === undefined ? undefined : ownView(session, own);
    },
    async dispatch(sessionKey, command, { idempotencyKey } = {}) {
      rights.mayChange();
      const slice = machineOf(own);
      if (slice === undefined) throw rights.fail("invalid", "it has no machine in sessions that could take a command");
      const actor = { kind: "system", reason: `plugin:${own.id}` } as const;
      const by =
        idempotencyKey === undefined
          ? { actor }
          : { actor, idempotency: { key: idempotencyKey, requestDigest: hash("sha256", canonicalJson(command)) } };
      const order = { type: "slice.apply", slice, command } as const;
      const outcome = await sessions().dispatch(SessionId.parse(sessionKey), order, by);
      return outcome.ok ? { ok: true, reply: outcome.reply } : { ok: false, refusal: outcome.refusal };
    },
  };
}

function ownView({ injections: _queue, timers: _timers, ...session }: Session, own: Loaded): PluginSession {
  const names = new Set([pluginSlice(own.id), ...own.has.slices.map(({ name }) => name)]);
  const slices = Object.fromEntries(Object.entries(session.slices).filter(([name]) => names.has(name)));
  return { ...session, slices };
}
