/** The kinds of channels that there are. Nothing of one is loaded before its first account is configured. */
import type { ChannelAbout, ChannelModule } from "./port.ts";
import type { ChannelKind } from "./protocol/settings.ts";

export type Kind = {
  /** Without the vendor's package. */
  about(): Promise<ChannelAbout>;
  /** With it; fails where it is not installed. */
  load(): Promise<ChannelModule>;
};

export const KINDS: Readonly<Record<ChannelKind, Kind>> = {
  telegram: {
    about: async () => (await import("./telegram/about.ts")).telegramAbout,
    load: async () => {
      (await import("./telegram/no-local-storage.ts")).noLocalStorage();
      return (await import("./telegram/telegram.ts")).telegram;
    },
  },
  slack: {
    about: async () => (await import("./slack/about.ts")).slackAbout,
    load: async () => (await import("./slack/slack.ts")).slack,
  },
  discord: {
    about: async () => (await import("./discord/about.ts")).discordAbout,
    load: async () => (await import("./discord/discord.ts")).discord,
  },
  matrix: {
    about: async () => (await import("./matrix/about.ts")).matrixAbout,
    load: async () => (await import("./matrix/matrix.ts")).matrix,
  },
  mattermost: {
    about: async () => (await import("./mattermost/about.ts")).mattermostAbout,
    load: async () => (await import("./mattermost/mattermost.ts")).mattermost,
  },
  teams: {
    about: async () => (await import("./teams/about.ts")).teamsAbout,
    load: async () => (await import("./teams/teams.ts")).teams,
  },
  "google-chat": {
    about: async () => (await import("./google-chat/about.ts")).googleChatAbout,
    load: async () => (await import("./google-chat/google-chat.ts")).googleChat,
  },
  webhook: {
    about: async () => (await import("./webhook/about.ts")).webhookAbout,
    load: async () => (await import("./webhook/webhook.ts")).webhook,
  },
  sms: {
    about: async () => (await import("./sms/about.ts")).smsAbout,
    load: async () => (await import("./sms/sms.ts")).sms,
  },
  whatsapp: {
    about: async () => (await import("./whatsapp/about.ts")).whatsappAbout,
    load: async () => (await import("./whatsapp/whatsapp.ts")).whatsapp,
  },
  email: {
    about: async () => (await import("./email/about.ts")).emailAbout,
    load: async () => (await import("./email/email.ts")).email,
  },
  feishu: {
    about: async () => (await import("./feishu/about.ts")).feishuAbout,
    load: async () => (await import("./feishu/feishu.ts")).feishu,
  },
  signal: {
    about: async () => (await import("./signal/about.ts")).signalAbout,
    load: async () => (await import("./signal/signal.ts")).signal,
  },
  imessage: {
    about: async () => (await import("./imessage/about.ts")).imessageAbout,
    load: async () => (await import("./imessage/imessage.ts")).imessage,
  },
  irc: {
    about: async () => (await import("./irc/about.ts")).ircAbout,
    load: async () => (await import("./irc/irc.ts")).irc,
  },
  xmpp: {
    about: async () => (await import("./xmpp/about.ts")).xmppAbout,
    load: async () => (await import("./xmpp/xmpp.ts")).xmpp,
  },
};

export const KIND_NAMES = Object.keys(KINDS);

/** A vendor's package that is not there. */
export class MissingPackage extends Error {
  override readonly name = "MissingPackage";
  readonly fix: string;

  constructor({ title, packages }: Pick<ChannelAbout, "title" | "packages">, cause: unknown) {
    const names = packages.map(({ name, version }) => `${name}@${version}`).join(" ");
    super(`${title} needs a package that is not installed: ${packages.map(({ name }) => name).join(", ")}`, { cause });
    this.fix = `npm install --save-exact ${names}`;
  }
}

/** Loads the vendor's module; a package of it that is missing is named with the command that installs it. */
export async function loadKind({ about, load }: Kind): Promise<ChannelModule> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new MissingPackage(await about(), error);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && /package/.test(error.message);
