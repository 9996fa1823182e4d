/** Posts as Mattermost's API takes them. */
import type { Button } from "../port.ts";
import type { Proofs } from "./action-proof.ts";

export type Place = { channel: string; root: string | undefined };

/** Ids have 26 characters; a thread is named by the post that it began with. */
const PLACE = /^([a-z0-9]{3,40})(?::([a-z0-9]{3,40}))?$/;

export function placeOf(conversation: string): Place | undefined {
  const [, channel, root] = PLACE.exec(conversation) ?? [];
  return channel === undefined ? undefined : { channel, root };
}

export const conversationOf = ({ channel, root }: Place): string =>
  root === undefined ? channel : `${channel}:${root}`;

const STYLES = { good: "good", bad: "danger", other: "default" } as const;

export type Actions = { proofs: Proofs; url: string };

/** What a press brings back: kept by the server, and never shown to whoever reads the post. */
export function postAttachments(buttons: readonly Button[], conversation: string, { proofs, url }: Actions): object[] {
  if (buttons.length === 0) return [];
  const actions = buttons.map(({ label, token, style }, at) => ({
    id: `holdpoint${at}`, // letters and digits only, or presses are lost
    type: "button",
    name: label,
    style: STYLES[style],
    integration: { url: `${url}/action`, context: proofs.seal({ token, conversation }) },
  }));
  return [{ fallback: "", actions }];
}

const TITLE_CHARS_MAX = 24;
const INPUT_CHARS_MAX = 3_000;

/** The field in which words are written. */
export const WORDS = "words";

export const dialogOf = (label: string, state: object): object => ({
  callback_id: "holdpoint",
  title: shortened(label, TITLE_CHARS_MAX),
  submit_label: "OK",
  state: JSON.stringify(state),
  elements: [
    { display_name: shortened(label, TITLE_CHARS_MAX), name: WORDS, type: "textarea", max_length: INPUT_CHARS_MAX },
  ],
});

const shortened = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
