/** `avatar("Alice Doe")`: who it is, in two letters. */
import { css, html, type TemplateResult } from "lit";

const HUES = 6;

export function avatar(name: string): TemplateResult {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []; // a name may hide signs, and two letters are no place to show them
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(firstOf);
  return html`<span class="avatar hue-${hueOf(name)}" aria-hidden="true">${letters.join("").toUpperCase()}</span>`;
}

/** By code points: a name may begin with a character of two code units. */
const firstOf = (word = ""): string => String.fromCodePoint(...[word.codePointAt(0) ?? []].flat());

function hueOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return sum % HUES;
}

export const avatars = css`
  .avatar {
    display: inline-grid;
    flex: none;
    place-items: center;
    inline-size: 1.75rem;
    block-size: 1.75rem;
    border-radius: var(--hp-round-full);
    background: var(--hp-accent-soft);
    color: var(--hp-accent-strong);
    font-size: 0.6875rem;
    font-weight: 650;
  }

  .hue-1 {
    background: var(--hp-good-soft);
    color: var(--hp-good);
  }

  .hue-2 {
    background: var(--hp-waiting-soft);
    color: var(--hp-waiting);
  }

  .hue-3 {
    background: light-dark(#f6e8f7, #34203a);
    color: light-dark(#7a2c86, #e3a9ee);
  }

  .hue-4 {
    background: light-dark(#e0f2f3, #10302f);
    color: light-dark(#115e63, #7ed3d3);
  }

  .hue-5 {
    background: var(--hp-sunken);
    color: var(--hp-text);
  }
`;
