/**
 * Messages by Mattermost's socket. It has no acknowledgement: the time of the last stored post is noted, and after each
 * connection the server is asked for what was written since.
 */
import { z } from "zod";
import type { VendorEvent, VendorIo } from "../port.ts";
import { keepConnected } from "../wire/keep-connected.ts";
import { jsonCodec, openSocket, type Socket } from "../wire/open-socket.ts";
import type { CallMattermost } from "./mattermost-api.ts";
import { conversationOf } from "./post-attachments.ts";
import { isEmptyMessage, untakenFiles } from "../wire/untaken-file.ts";

/** Servers behind one address have clocks of their own; what comes twice is known by its id. */
const OVERLAP_MS = 1_000;
const CHANNELS_MAX = 500;

const Post = z.object({
  id: z.string(),
  create_at: z.number(),
  delete_at: z.number().default(0),
  user_id: z.string(),
  channel_id: z.string(),
  root_id: z.string().default(""),
  message: z.string(),
  type: z.string().default(""),
  props: z.looseObject({}).nullish(),
  file_ids: z.array(z.unknown()).nullish(),
});
type Post = z.infer<typeof Post>;

const Message = z.object({ event: z.string().optional(), data: z.looseObject({}).optional() });
const Posted = z.object({ post: z.string(), channel_type: z.string(), sender_name: z.string().default("") });
const Channels = z.array(z.object({ id: z.string(), type: z.string(), last_post_at: z.number().default(0) }));
const Posts = z.object({ posts: z.record(z.string(), z.unknown()) });
const Cursor = z.object({ since: z.number() });

export type MattermostMe = { userId: string; username: string };
export type Listening = {
  server: string;
  token: string;
  call: CallMattermost;
  me: MattermostMe;
  io: VendorIo;
  now(): number;
  signal: AbortSignal;
};
type Connection = Listening & { place: { since: number } };

/** Resolves when the server has said hello, and what was missed is stored. */
export async function mattermostSocket(listening: Listening): Promise<{ ended: Promise<void> }> {
  const { io, now, signal } = listening;
  const noted = await io.cursor.get();
  const since = Cursor.safeParse(noted === undefined ? undefined : JSON.parse(noted)).data?.since ?? now();
  if (noted === undefined) await io.cursor.set(JSON.stringify({ since })); // what was before us is not for us
  const connection = { ...listening, place: { since } };
  return keepConnected({ connect: () => connect(connection), report: io.report, signal });
}

async function connect(connection: Connection): Promise<Socket> {
  const { server, token, io, signal } = connection;
  const ready = Promise.withResolvers<void>();
  const socket = await openSocket(`${server.replace(/^http/, "ws").replace(/\/$/, "")}/api/v4/websocket`, {
    codec: jsonCodec,
    headers: { authorization: `Bearer ${token}` },
    signal,
    failed: (error) => io.report(error instanceof Error ? error.message : String(error)),
    async take(received) {
      const { event, data } = Message.safeParse(received).data ?? {};
      if (event === "posted") return takePosted(data, connection);
      if (event !== "hello") return;
      await catchUp(connection);
      ready.resolve();
    },
  });
  void socket.closed.then((code) => ready.reject(new Error(`Mattermost closed the connection (${code})`)));
  await ready.promise;
  return socket;
}

async function takePosted(data: unknown, connection: Connection): Promise<void> {
  const { data: posted } = Posted.safeParse(data);
  const { data: post } = Post.safeParse(posted === undefined ? undefined : JSON.parse(posted.post));
  if (posted === undefined || post === undefined) return; // what cannot be read would come again after each connection
  const name = posted.sender_name.replace(/^@/, "");
  await take(post, { isDirect: posted.channel_type === "D", name }, connection);
}

type From = { isDirect: boolean; name: string };

async function take(post: Post, from: From, { me, io, place }: Connection): Promise<void> {
  const event = postEvent(post, from, me);
  if (event !== undefined) await io.deliver(event);
  if (post.create_at <= place.since) return;
  place.since = post.create_at;
  await io.cursor.set(JSON.stringify({ since: place.since }));
}

async function catchUp(connection: Connection): Promise<void> {
  const { call, me, place, signal } = connection;
  const from = place.since - OVERLAP_MS;
  const channels = await call({ path: `/users/${me.userId}/channels`, method: "GET", signal }, Channels);
  const found: { post: Post; isDirect: boolean }[] = [];
  for (const { id, type, last_post_at: last } of channels.slice(0, CHANNELS_MAX)) {
    if (last <= from) continue;
    const { posts } = await call({ path: `/channels/${id}/posts?since=${from}`, method: "GET", signal }, Posts);
    for (const one of Object.values(posts)) {
      const { data: post } = Post.safeParse(one);
      if (post !== undefined && post.create_at > from && post.delete_at === 0)
        found.push({ post, isDirect: type === "D" });
    }
  }
  for (const { post, isDirect } of found.toSorted((one, other) => one.post.create_at - other.post.create_at))
    await take(post, { isDirect, name: post.user_id }, connection);
}

/** By a person: nothing of the system, of a bot, or of a webhook. */
function postEvent(post: Post, { isDirect, name }: From, me: MattermostMe): VendorEvent | undefined {
  const { id, user_id: user, channel_id: channel, root_id: root, message, type, props } = post;
  const isMade = props?.["from_bot"] === "true" || props?.["from_webhook"] === "true";
  const files = untakenFiles(post.file_ids);
  if (user === me.userId || type !== "" || isMade || isEmptyMessage(message, files)) return undefined;
  const mention = new RegExp(`(?<![\\w.-])@${me.username.replaceAll(".", "\\.")}(?![\\w-])`, "gi");
  const text = message.replace(mention, "").replace(/ {2,}/g, " ").trim();
  const conversation = conversationOf({ channel, root: root === "" ? undefined : root });
  return {
    kind: "message",
    eventId: `post:${id}`,
    text,
    addressed: isDirect || mention.test(message) || /^(?:\/|\[plan-mode\]\s)/i.test(text),
    ...files,
    conversation,
    direct: isDirect,
    ...(isDirect ? {} : { group: channel }),
    person: { id: user, assured: true, name },
  };
}
