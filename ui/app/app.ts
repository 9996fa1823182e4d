/** What every view gets: the state, the way around, and how to talk to the person. */
import { withTexts } from "../i18n/t.ts";
import type { Problem } from "../problems/problem-of.ts";
import type { AppState } from "../state/app-state.ts";
import { visibly } from "../text/visibly.ts";
import type { Keys } from "./keys.ts";
import type { Notices } from "./notices.ts";
import type { Router } from "./router.ts";

export type App = {
  state: AppState;
  /** `state.call`, at hand: one request to the gateway, typed by its name. */
  call: AppState["call"];
  router: Router;
  keys: Keys;
  notices: Notices;
  /** Ends the log-in of this browser, in all its tabs. */
  logOut(): Promise<void>;
  /** Does it; where it fails, the person is told why, and the answer is undefined. */
  attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
};

type AppParts = Pick<App, "state" | "router" | "keys" | "notices" | "logOut">;

export function createApp(parts: AppParts): App {
  return {
    ...parts,
    call: parts.state.call,
    async attempt(work) {
      try {
        return await work();
      } catch (error) {
        await tellProblem(parts.notices, error);
        return undefined;
      }
    },
  };
}

/** In the person's language: the code and the texts for that are loaded for the first problem, or before. */
export async function tellProblem(notices: Notices, error: unknown): Promise<void> {
  const loaded = await loadProblems().catch(() => undefined); // the gateway may be away just now
  notices.tell(loaded === undefined ? inItsOwnWords(error) : loaded.problemOf(error), "bad");
}

/** When there is a problem, the gateway may be what is missing: better called before. */
export const loadProblems = () => withTexts(() => import("../problems/problem-of.ts"), "cards", "problems", "said");

const inItsOwnWords = (error: unknown): Problem => ({
  text: visibly(error instanceof Error ? error.message : String(error)),
  isEnglish: true,
  detail: "",
});
