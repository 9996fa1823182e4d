/**
 * Buttons are the browser's own, because it knows about forms, keys and names already; these are their styles.
 *
 *   <button class="button">          beside others
 *   <button class="button primary">  the one thing to do here
 *   <button class="button sign">     a signature: only for approving a plan
 *   <button class="button danger">   destroys something
 *   <button class="button bare">     no border until touched; add "square" when only an icon is shown
 */
import { css } from "lit";

export const buttons = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--hp-2);
    min-block-size: var(--hp-target);
    padding: 0 var(--hp-3);
    border: 1px solid var(--hp-line-strong);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
    color: var(--hp-text);
    font-weight: 550;
    text-align: center;
    text-decoration: none;
    white-space: nowrap;
    cursor: pointer;
    transition:
      background var(--hp-quick),
      border-color var(--hp-quick),
      transform var(--hp-quick);
  }

  .button:hover {
    background: var(--hp-hover);
  }

  .button:active {
    transform: translateY(1px);
  }

  .button:focus-visible {
    border-radius: var(--hp-round);
  }

  .button.primary,
  .button.sign {
    border-color: var(--hp-accent);
    background: var(--hp-accent);
    color: var(--hp-on-accent);
  }

  .button.primary:hover,
  .button.sign:hover {
    border-color: var(--hp-accent-strong);
    background: var(--hp-accent-strong);
  }

  /* a signature is larger, has the line one signs on, and presses in */
  .button.sign {
    min-block-size: calc(var(--hp-target) + 0.5rem);
    padding: 0 var(--hp-5);
    font-size: 1rem;
    font-weight: 650;
    box-shadow: inset 0 -3px 0 rgb(0 0 0 / 22%);
  }

  .button.sign:active {
    box-shadow: inset 0 1px 0 rgb(0 0 0 / 22%);
    transform: translateY(2px);
  }

  .button.danger {
    border-color: var(--hp-bad);
    color: var(--hp-bad);
  }

  .button.danger:hover {
    background: var(--hp-bad-soft);
  }

  .button.bare {
    border-color: transparent;
    background: transparent;
  }

  .button.bare:hover,
  .button.bare[aria-expanded="true"] {
    background: var(--hp-hover);
  }

  .button.square {
    inline-size: var(--hp-target);
    padding: 0;
    flex: none;
  }

  /* also under the mouse, as after the click that switched it off */
  .button:is(:disabled, [aria-disabled="true"]),
  .button:is(:disabled, [aria-disabled="true"]):hover {
    border-color: var(--hp-line);
    background: var(--hp-sunken);
    color: var(--hp-quiet);
    box-shadow: none;
    transform: none;
    cursor: not-allowed;
  }

  /* not forbidden, only resting for a moment: they keep their looks, so that nothing seems to be switched off */
  .resting .button:disabled {
    border-color: var(--hp-line-strong);
    background: var(--hp-surface);
    color: var(--hp-text);
    cursor: default;
  }

  .resting .button.sign:disabled {
    border-color: var(--hp-accent);
    background: var(--hp-accent-soft);
    color: var(--hp-accent-strong);
  }

  .button.bare:is(:disabled, [aria-disabled="true"]) {
    border-color: transparent;
    background: transparent;
  }

  .icon {
    flex: none;
  }
`;
