/** What every view gets: the state, the way around, and how to talk to the person. */
import { speakOfProblems } from "../i18n/t.ts";
import { problemOf } from "../problems/problem-of.ts";
import type { AppState } from "../state/app-state.ts";
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

/** In the person's language: its texts about problems are loaded for the first one. */
export async function tellProblem(notices: Notices, error: unknown): Promise<void> {
  await speakOfProblems();
  notices.tell(problemOf(error), "bad");
}
