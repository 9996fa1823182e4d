/** What the gateway gives the channels' plugin besides the SDK. */
import type { CardSection } from "../../protocol/card/card.ts";
import type { ChannelSettings, ChannelsSettings } from "../protocol/settings.ts";

export type PlanText = {
  /** What the plan says besides its steps. */
  sections: CardSection[];
  /** The whole of it as a document. */
  file: { name: string; mediaType: string; text: string };
};

export type ChannelsHouse = {
  /** The accounts as they are configured now. */
  settings(): ChannelsSettings;
  onSettings(listener: () => void): () => void;
  /** With secrets in the place of their names. Throws, naming the secret that is missing. */
  filled(settings: ChannelSettings): Promise<ChannelSettings>;
  /** Where a vendor reaches `webhook` of this account; undefined while the gateway has no address of its own. */
  webhookUrl(kind: string, account: string): string | undefined;
  /** The whole text of a plan; undefined where there is none. */
  plan(planId: string): Promise<PlanText | undefined>;
  /** What is wrong with an account now, for `status` and the doctor; undefined when nothing is. */
  trouble(account: string, problem: string | undefined): void;
  /** Whether other gateways may serve the same accounts from the same store. */
  sharesStore(): boolean;
  clock: { now(): number; wakeAt(atMs: number, wake: () => void): () => void };
};
