/** The buttons of a card as a channel can show them: which, how they are called, and the codes that stand for them. */
import { buttonCode, tokenHash } from "../../plugins/button-code.ts";
import { type DrawnCard, firstChars, oneLine } from "../../plugins/sdk.ts";
import type { Card, CardAction } from "../../protocol/card/card.ts";
import type { Button, Capabilities } from "../port.ts";

type Drawn = DrawnCard["buttons"][number];

const STYLES = { yes: "good", no: "bad", other: "other" } as const;

/** No more than the channel has room for; whatever is left out can be typed. */
export function cardButtons(card: Card, drawn: readonly Drawn[], { buttons, form }: Capabilities): Button[] {
  if (typeof buttons === "string") return [];
  const shown = drawn
    .filter(({ asksText }) => asksText !== true || form !== false)
    .flatMap((one) => buttonOf(card, one))
    .slice(0, buttons.max);
  const labels = fittingLabels(
    shown.map(({ label }) => label),
    buttons.labelMax,
  );
  return shown.map((button, at) => ({ ...button, label: labels[at] ?? button.label }));
}

function buttonOf(card: Card, { action: name, token, asksText }: Drawn): Button[] {
  const found = named(card, name);
  if (found === undefined) return [];
  const { action, label } = found;
  return [{ token, label: oneLine(label), style: STYLES[action.tone], asksText: asksText === true }];
}

/** `answer:2` is the option 2 of the action `answer`. */
function named(card: Card, name: string): { action: CardAction; label: string } | undefined {
  const plain = card.actions.find(({ id }) => id === name);
  if (plain !== undefined) return { action: plain, label: plain.label.text };
  for (const action of card.actions) {
    if (action.input.kind !== "option") continue;
    const option = action.input.options.find(({ id }) => `${action.id}:${id}` === name);
    if (option !== undefined) return { action, label: option.label };
  }
  return undefined;
}

/**
 * Cut at the end; in the middle where another button begins alike, since one that accepts must not look like one that accepts
 * more; by its number in front where even the ends are alike.
 */
function fittingLabels(labels: readonly string[], charsMax: number): string[] {
  const cut = labels.map((label, at) => {
    if (label.length <= charsMax) return label;
    const start = firstChars(label, charsMax - 1);
    const isAlike = labels.some((other, n) => n !== at && (other.startsWith(start) || start.startsWith(other)));
    return isAlike ? cutInside(label, charsMax) : `${start}…`;
  });
  return cut.map((label, at) => {
    if (cut.indexOf(label) === cut.lastIndexOf(label)) return label;
    const number = `${at + 1}) `;
    return `${number}${cutInside(labels[at] ?? label, charsMax - number.length)}`;
  });
}

function cutInside(label: string, charsMax: number): string {
  if (label.length <= charsMax) return label;
  const start = Math.floor((charsMax - 1) / 2);
  const end = label.slice(label.length - (charsMax - 1 - start));
  return `${firstChars(label, start)}…${/^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end}`;
}

/** On channels where people are not who they seem to be, a code of the card itself is typed instead of a command. */
export function cardCodes(
  drawn: readonly Drawn[],
  { identity }: Capabilities,
): ReadonlyMap<string, string> | undefined {
  if (identity === "assured") return undefined;
  return new Map(drawn.map(({ action, token }) => [action, buttonCode(tokenHash(token))]));
}
