/** Short notices about what just happened. Good news disappears by itself; a problem stays until it is dismissed. */
import { cell, type Readable } from "../state/cell.ts";
import type { Problem } from "../problems/problem-of.ts";
import { visibly } from "../text/visibly.ts";

const SHOWN_MAX = 4;
const GOOD_NEWS_MS = 6_000;

export type Notice = Problem & { id: number; kind: "note" | "bad" };

export type Notices = Readable<readonly Notice[]> & {
  tell(words: string | Problem, kind?: Notice["kind"]): void;
  dismiss(id: number): void;
};

export function createNotices(): Notices {
  const shown = cell<readonly Notice[]>([]);
  let lastId = 0;
  const dismiss = (id: number): void => shown.change((notices) => notices.filter((notice) => notice.id !== id));
  return {
    get: shown.get,
    subscribe: shown.subscribe,
    dismiss,
    tell(words, kind = "note") {
      const said = typeof words === "string" ? { text: words, isEnglish: false, detail: "" } : words;
      const text = visibly(said.text); // a notice may repeat untrusted text
      const detail = visibly(said.detail);
      lastId += 1;
      const id = lastId;
      // repeated, it is still one problem
      const others = shown.get().filter((notice) => notice.text !== text || notice.detail !== detail);
      shown.set([...others, { ...said, id, text, detail, kind }].slice(-SHOWN_MAX));
      if (kind === "note") setTimeout(() => dismiss(id), GOOD_NEWS_MS);
    },
  };
}
