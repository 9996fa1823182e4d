/** Words that somebody looks for in a plan: where they stand, and which place they are at. */
import type { ReactiveControllerHost } from "lit";
import { clearMatches, findMatches, showMatches } from "./find-matches.ts";
import type { Found } from "./reading-bar.ts";

export class WordFinder {
  readonly #host: Pick<ReactiveControllerHost, "requestUpdate">;
  #matches: readonly Range[] = [];
  found: Found | undefined;

  constructor(host: Pick<ReactiveControllerHost, "requestUpdate">) {
    this.#host = host;
  }

  /** The first of them comes into sight. */
  find(root: ParentNode, words: string): void {
    this.#matches = findMatches(root, words);
    this.found = words.trim() === "" ? undefined : { at: 0, count: this.#matches.length };
    if (this.#matches.length === 0) clearMatches();
    this.step(1);
    this.#host.requestUpdate();
  }

  /** To the next or the one before; after the last comes the first. */
  step(by: number): void {
    const count = this.#matches.length;
    if (this.found === undefined || count === 0) return;
    const at = ((this.found.at - 1 + by + count) % count) + 1;
    const range = this.#matches[at - 1];
    this.found = { at, count };
    showMatches(this.#matches, range);
    range?.startContainer.parentElement?.scrollIntoView({ block: "center" });
    this.#host.requestUpdate();
  }

  clear(): void {
    this.#matches = [];
    this.found = undefined;
    clearMatches();
  }
}
