/** What every view is given: the state, navigation, and notices to the person. */
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
  /** Runs it; on failure the person sees why, and the result is undefined. */
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

/** Called ahead, because the gateway may be unreachable when there is a problem to show. */
export const loadProblems = () =>
  withTexts(() => import("../problems/problem-of.ts"), "cards", "problems", "localized");

const inItsOwnWords = (error: unknown): Problem => ({
  text: visibly(error instanceof Error ? error.message : String(error)),
  isEnglish: true,
  detail: "",
});
