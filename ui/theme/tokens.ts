/**
 * The design tokens: every colour, size and duration of the page has a name here, and nothing else in the page spells
 * one out. Each colour is a pair, light and dark; `color-scheme` on the root chooses (see theme.ts). Text colours reach
 * 4.5 : 1 on every surface, lines of fields and the focus ring 3 : 1: test/browser proves it with axe in both themes.
 */
import { css } from "lit";

export const tokens = css`
  :root {
    color-scheme: light dark;

    --hp-page: light-dark(#f7f7f5, #121316);
    --hp-surface: light-dark(#ffffff, #1a1c20);
    --hp-raised: light-dark(#ffffff, #212429);
    --hp-sunken: light-dark(#efefec, #0d0e10);
    --hp-hover: light-dark(#ecebe7, #25282e);
    --hp-line: light-dark(#e2e1dc, #2c2f36);
    --hp-line-strong: light-dark(#8a8a84, #737885);
    --hp-text: light-dark(#1b1c1e, #e9e9e7);
    --hp-quiet: light-dark(#5a5d63, #a4a8b0);
    --hp-shade: light-dark(rgb(20 20 25 / 35%), rgb(0 0 0 / 60%));

    --hp-accent: light-dark(#3450c4, #a3b6ff);
    --hp-accent-strong: light-dark(#273c99, #c0cdff);
    --hp-on-accent: light-dark(#ffffff, #0f1738);
    --hp-accent-soft: light-dark(#e8ecfb, #242c4b);

    --hp-waiting: light-dark(#7f4b00, #f3c374);
    --hp-waiting-soft: light-dark(#fff1d6, #33270f);
    --hp-good: light-dark(#176236, #86d6a1);
    --hp-good-soft: light-dark(#e2f3e8, #132c1c);
    --hp-bad: light-dark(#a8231b, #ffa59c);
    --hp-bad-soft: light-dark(#fce9e7, #391815);

    --hp-font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif;
    --hp-mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Noto Sans Mono", monospace;
    --hp-size-small: 0.8125rem;
    --hp-size: 0.9375rem;
    --hp-size-large: 1.125rem;
    --hp-size-title: 1.375rem;
    --hp-leading: 1.5;

    --hp-1: 0.25rem;
    --hp-2: 0.5rem;
    --hp-3: 0.75rem;
    --hp-4: 1rem;
    --hp-5: 1.5rem;
    --hp-6: 2rem;

    --hp-round: 0.5rem;
    --hp-round-small: 0.3125rem;
    --hp-round-full: 999px;
    --hp-target: 2.25rem;
    --hp-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 8px 24px rgb(0 0 0 / 10%);
    --hp-focus: 2px solid var(--hp-accent);
    --hp-quick: 120ms;
    --hp-slow: 240ms;
    --hp-reading: 46rem;
  }

  @media (pointer: coarse) {
    :root {
      --hp-target: 2.75rem;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    :root {
      --hp-quick: 0ms;
      --hp-slow: 0ms;
    }
  }

  :root[data-theme="light"] {
    color-scheme: light;
  }

  :root[data-theme="dark"] {
    color-scheme: dark;
  }

  body {
    margin: 0;
    background: var(--hp-page);
    color: var(--hp-text);
    font: var(--hp-size) / var(--hp-leading) var(--hp-font);
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
  }
`;
