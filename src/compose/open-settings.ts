/** Settings that open the gate, named for as long as they hold: on every card, in lists of jobs, in the status. */
import type { Config } from "../config/config.ts";
import { unattendedOpen } from "../core/cards.ts";
import type { CardText } from "../protocol/card/card.ts";
import { localized, noticeOf } from "../protocol/localized/localized-text.ts";

type OpenSettings = Pick<Config, "automation" | "tools">;

const isUnattendedOpen = ({ automation }: OpenSettings): boolean => automation.unattended === "open";
const isWithoutSandbox = ({ tools }: OpenSettings): boolean => tools.exec.sandbox === "none";

const NO_WARNINGS: readonly CardText[] = [];
const NO_SANDBOX = [noticeOf(localized("cardNoSandbox"))];
const UNATTENDED_OPEN = [unattendedOpen()];
const BOTH = [...NO_SANDBOX, ...UNATTENDED_OPEN];

/** The same list for the same settings: cards are kept for as long as it is the same. */
export function openSettingWarnings(config: OpenSettings): readonly CardText[] {
  if (isWithoutSandbox(config)) return isUnattendedOpen(config) ? BOTH : NO_SANDBOX;
  return unattendedWarnings(config);
}

/** What is said beside scheduled jobs. */
export const unattendedWarnings = (config: OpenSettings): readonly CardText[] =>
  isUnattendedOpen(config) ? UNATTENDED_OPEN : NO_WARNINGS;

/** For operators who ask how the gateway stands. */
export const openSettingNotes = (config: OpenSettings): string[] => [
  ...(isUnattendedOpen(config)
    ? ["automation.unattended is open: scheduled jobs and heartbeats may change things with nobody there."]
    : []),
  ...(isWithoutSandbox(config)
    ? ["tools.exec.sandbox is none: agents' commands run without a sandbox, beside the gateway's own folder."]
    : []),
];
