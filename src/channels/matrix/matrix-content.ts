/**
 * What is written into rooms. Matrix has no buttons: a card says which reaction stands for what, carries the tokens beside its
 * text, and gets these reactions from us first, so that people only tap them.
 */
import { z } from "zod";
import type { Body, Button } from "../port.ts";
import { neutral } from "../render/neutral-text.ts";

const BUTTONS = "io.holdpoint.buttons";
const KEYCAP = "\uFE0F\u20E3";

export const reactionKey = (at: number): string => `${at + 1}${KEYCAP}`;

/** With or without the signs that make a figure a key: clients differ. */
function buttonAt(key: string): number | undefined {
  const [, figure] = /^([1-9])\uFE0F?\u20E3?$/.exec(key) ?? [];
  return figure === undefined ? undefined : Number(figure) - 1;
}

const CardContent = z.looseObject({ [BUTTONS]: z.array(z.object({ label: z.string(), token: z.string() })) });

/** The token behind a reaction to this content. */
export function tokenBehind(content: unknown, key: string): string | undefined {
  const at = buttonAt(key);
  const { data } = CardContent.safeParse(content);
  return at === undefined ? undefined : data?.[BUTTONS]?.[at]?.token;
}

export type Content = Record<string, unknown>;

/** Nobody is mentioned by anything that we write. */
export const textContent = ({ text }: Body): Content => ({
  msgtype: "m.text",
  body: plainOf(text),
  format: "org.matrix.custom.html",
  formatted_body: htmlOf(text),
  "m.mentions": {},
});

export function cardContent(body: Body, buttons: readonly Button[]): Content {
  const legend = buttons.map(({ label }, at) => `${reactionKey(at)} ${neutral(label, "html")}`);
  const text = [body.text, ...(legend.length === 0 ? [] : ["", ...legend])].join("\n");
  return { ...textContent({ ...body, text }), [BUTTONS]: buttons.map(({ label, token }) => ({ label, token })) };
}

export const editContent = (content: Content, messageId: string): Content => ({
  ...content,
  body: `* ${String(content["body"])}`,
  formatted_body: `* ${String(content["formatted_body"])}`,
  "m.new_content": content,
  "m.relates_to": { rel_type: "m.replace", event_id: messageId },
});

export const inThread = (content: Content, thread: string | undefined): Content =>
  thread === undefined ? content : { ...content, "m.relates_to": { rel_type: "m.thread", event_id: thread } };

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };

/** Of our own marks, which are these three and no others. */
const plainOf = (html: string): string =>
  html.replace(/<\/?(?:b|s|code)>/g, "").replace(/&(?:lt|gt|amp|quot);/g, (entity) => ENTITIES[entity] ?? entity);

/** Ends of lines and what is set in would be lost in HTML. */
const htmlOf = (text: string): string =>
  text.replace(/^ +/gm, (spaces) => "\u00A0".repeat(spaces.length)).replaceAll("\n", "<br>");
