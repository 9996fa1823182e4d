/**
 * The port that a vendor fills: one folder per vendor, which knows its vendor and nothing else of the gateway. Text reaches
 * it rendered and neutralised; who somebody is, what they may do, order, retries and receipts are settled outside of it.
 *
 *   vendor ─▶ io.deliver(event): stored when it resolves, so only then acknowledge
 *   bridge ─▶ send(conversation, out, key) ─▶ the vendor's message id, or a SendError that says whether it may have been sent
 */
import type { ChannelKind, ChannelSettings, SettingsOf } from "./protocol/settings.ts";

/** How a channel writes bold and the like; each has its own way to keep foreign text from meaning anything. */
export type Format = "html" | "mrkdwn" | "markdown" | "plain";

/** Rendered and neutralised already. */
export type Body = { format: Format; text: string };

export type Button = {
  /** All that a button may carry: 25 bytes. */
  token: string;
  label: string;
  style: "good" | "bad" | "other";
  /** What it does needs words of the person: the channel's own form, or a question that is replied to. */
  asksText: boolean;
};

export type OutFile = { name: string; mediaType: string; bytes: Uint8Array; caption: Body };

export type Out =
  /** `asksReply`: the person is asked to answer this very message. */
  | { kind: "text"; body: Body; asksReply?: true }
  | { kind: "file"; file: OutFile }
  | { kind: "card"; body: Body; buttons: readonly Button[] }
  | { kind: "edit"; messageId: string; body: Body; buttons: readonly Button[] };

export type Sent = { messageId: string };

/** `key` is the same for the same thing: a vendor with idempotent sends sends it once. */
export type Sending = { key: string; signal: AbortSignal };

/** A send that failed. Without `maybeSent` the vendor is known not to have taken it. */
export class SendError extends Error {
  override readonly name = "SendError";
  /** `never`: the vendor will not take it, whatever we wait. */
  readonly retry: "never" | "later";
  readonly afterMs: number | undefined;
  readonly maybeSent: boolean;

  constructor(message: string, how: { retry: "never" | "later"; afterMs?: number; maybeSent?: boolean }) {
    super(message);
    this.retry = how.retry;
    this.afterMs = how.afterMs;
    this.maybeSent = how.maybeSent ?? false;
  }
}

/** A file that somebody sent along. `source`: all that `loadFile` needs; `size` where the vendor says it. */
export type IncomingFile = { name: string; size?: number | undefined } & ({ source: string } | { bytes: Uint8Array });

export type FileLimits = { bytesMax: number; signal: AbortSignal };

/** A file turned out to be larger than is taken. */
export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
}

type Happened =
  /**
   * `addressed`: meant for us, in a group by a mention, a reply to us or a command; `handle`: what the vendor needs to answer
   * this very command, where it has answers that only its sender sees.
   */
  | {
      kind: "message";
      text: string;
      addressed: boolean;
      replyTo?: string;
      handle?: string;
      /** Somebody else's words, which the person passes on: never a command or an answer of theirs. */
      forwarded?: true;
      files?: readonly IncomingFile[];
    }
  /** `handle`: what the vendor needs to answer this very click; `text`: what was written in the channel's own form. */
  | { kind: "click"; token: string; messageId: string; handle?: string; text?: string }
  | { kind: "receipt"; messageId: string; state: "delivered" | "read" | "failed"; detail?: string };

export type VendorEvent = Happened & {
  /** The vendor's own id of the event: the same one is applied once. */
  eventId: string;
  /** Where answers go, thread included: all that `send` needs. */
  conversation: string;
  /** Between one person and us; anything else is a group. */
  direct: boolean;
  /** Which group it is, without the thread: what allow-lists name. */
  group?: string;
  /** `id`: the stable one that the vendor vouches for. `name` is only ever shown. */
  person: { id: string; assured: boolean; name: string };
};

export type VendorIo = {
  /** Resolves when the event is stored; rejects when it is not, and then it must not be acknowledged. */
  deliver(event: VendorEvent): Promise<void>;
  /** A place for an offset, a session or a token of the vendor's; store it only after what it confirms. */
  cursor: { get(): Promise<string | undefined>; set(value: string): Promise<void> };
  /** The connection is lost or back; people see it in `channels list`. */
  report(problem: string | undefined): void;
};

export type Checked = { ok: true; me: string } | { ok: false; problem: string; fix: string };

export type WebhookRequest = {
  method: string;
  /** Below the address of the account, without the query. */
  path: string;
  query?: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
};
export type WebhookAnswer = { status: number; body: string; headers?: Readonly<Record<string, string>> };

export type FormWanted = { handle: string; title: string; label: string; token: string; messageId: string };

/** The port itself: one account at a vendor. Errors of `send` are SendErrors; any other means that it is unknown what was sent. */
export type VendorPort = {
  /**
   * A connection or polling of ours brings what people write, so only the gateway that serves the account starts it. Absent:
   * the vendor calls us, and `start` only prepares for that, on every gateway.
   */
  connects?: boolean;
  /** Asks the vendor's API whether this account works. */
  check(signal: AbortSignal): Promise<Checked>;
  /** Begins to receive and resolves when the vendor has accepted it. */
  start(io: VendorIo): Promise<void>;
  /** Another gateway has the connection: prepares for requests of the vendor alone, which may reach any of them. */
  startHooks?(io: VendorIo): Promise<void>;
  send(conversation: string, out: Out, sending: Sending): Promise<Sent>;
  /** A short answer to a click, or to a command of the vendor's own, that only who pressed sees. */
  toast?(handle: string, text: string): Promise<void>;
  /** The vendor's own form; what is written there comes back as a click with a text. */
  form?(wanted: FormWanted): Promise<void>;
  /** Loads a file that somebody sent. Absent: files are not taken here, and people are told so. */
  loadFile?(source: string, limits: FileLimits): Promise<Uint8Array>;
  /** Checks signature and age itself, before it parses anything. */
  webhook?(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Closes sockets and timers within two seconds. */
  stop(): Promise<void>;
};

export type Capabilities = {
  format: Format;
  textMax: number;
  unit: "bytes" | "utf16" | "codepoints";
  /** Where a message with buttons holds less than one without. */
  cardMax?: number;
  /** `none`: people type the command, or the code that the card names. `by`: how a press is made where nothing can be pressed. */
  buttons: { max: number; labelMax: number; payloadMax: number; by?: "reactions" } | "reactions" | "links" | "none";
  /** `windowMs` null: at any time; `isBlind`: nobody says that the message is gone, and the edit then stands there as a new one. */
  edit: { windowMs: number | null; isBlind?: true } | false;
  file: { bytesMax: number; captionMax: number } | false;
  /** What people send as files is loaded and goes with their message. Absent: they are told that files are not taken. */
  filesIn?: true;
  /** How words for a button are asked for: in a form of the vendor's, or by a question that is replied to. */
  form: "own" | "reply" | false;
  toast: { charsMax: number } | false;
  thread: boolean;
  /** There are none: every conversation is between one person and us. */
  groups?: false;
  inbound: readonly ("poll" | "socket" | "webhook")[];
  /** A repeated send under the same key is one message. */
  idempotentSend: boolean;
  /** Whether the vendor sends again what we did not acknowledge. */
  replay: "full" | "window" | "none";
  identity: "assured" | "weak";
  /** Messages in a second, in the long run; `burst`: how many may follow each other in one conversation at once. */
  rate: { perConversation: number; burst: number; global: number };
};

/** What `channels add` asks for. */
export type Question = {
  setting: string;
  ask: string;
  /** Kept in secrets.yaml under this name, and named in the configuration as ${NAME}. */
  secretName?: string;
  optional?: true;
};

/** What is known of a kind of channel without loading its vendor's package. */
export type ChannelAbout = {
  kind: string;
  title: string;
  capabilities: Capabilities;
  /** The vendor's packages, which may be missing: exact versions, for the command that installs them. */
  packages: readonly { name: string; version: string }[];
  questions: readonly Question[];
  /** What must be reachable from where. */
  reach: string;
  /** What identifies a person there. */
  identifiedBy: string;
  /** Against what its tests run. */
  tested: string;
};

export type VendorParts = {
  settings: ChannelSettings;
  /** The address below which the vendor reaches `webhook`; undefined where the gateway has no public one. */
  webhookUrl: string | undefined;
  now(): number;
};

/** What the module of a vendor exports: loaded when its first account is configured. */
export type ChannelModule = { open(parts: VendorParts): VendorPort | Promise<VendorPort> };

type OpenVendor<Kind extends ChannelKind> = (
  parts: VendorParts & { settings: SettingsOf<Kind> },
) => VendorPort | Promise<VendorPort>;

/** The module of one kind, which is handed settings of that kind alone. */
export const defineChannel = <Kind extends ChannelKind>(kind: Kind, open: OpenVendor<Kind>): ChannelModule => ({
  open({ settings, ...parts }) {
    if (!isOfKind(settings, kind)) throw new Error(`these are no settings of ${kind}`);
    return open({ ...parts, settings });
  },
});

const isOfKind = <Kind extends ChannelKind>(settings: ChannelSettings, kind: Kind): settings is SettingsOf<Kind> =>
  settings.kind === kind;
