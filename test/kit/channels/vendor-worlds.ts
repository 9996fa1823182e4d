/** The vendors with buttons whose fakes speak their wire format, by kind: for journeys through all of them. */
import type { VendorWorld } from "../../../src/channels/contract/fake-vendor.ts";
import { startFakeDiscord } from "./fake-discord.ts";
import { startFakeFeishu } from "./fake-feishu.ts";
import { startFakeGoogleChat } from "./fake-google-chat.ts";
import { startFakeMatrix } from "./fake-matrix.ts";
import { startFakeMattermost } from "./fake-mattermost.ts";
import { startFakeSlack } from "./fake-slack.ts";
import { startFakeTeams } from "./fake-teams.ts";

export const VENDOR_WORLDS: Readonly<Record<string, () => Promise<VendorWorld>>> = {
  slack: () => startFakeSlack(),
  discord: () => startFakeDiscord(),
  matrix: () => startFakeMatrix(),
  mattermost: () => startFakeMattermost(),
  teams: () => startFakeTeams(),
  "google-chat": () => startFakeGoogleChat(),
  feishu: () => startFakeFeishu(),
};
