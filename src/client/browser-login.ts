/**
 * The log-in of a page: the code of a link is used once; from then on the browser shows its cookie, which no script sees,
 * together with a secret that only pages of this very origin can read.
 */
import type { LoginAnswerOf, LoginFailure, LoginPath } from "../protocol/wire/login.ts";
import { HoldpointError } from "./holdpoint-error.ts";

const BROWSER_KEY = "holdpoint.browser";
const TAB_KEY = "holdpoint.tab";
const ANSWER_MS_MAX = 20_000;
const CODE = /^#login=([A-Za-z0-9_-]{1,128})$/;

type Kept = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** A page hands in its `localStorage`, `sessionStorage` and origin. */
export type LoginPlaces = { origin: string; browser: Kept; tab: Kept };

export type BrowserLogin = {
  /** Whether there is a log-in to try; the gateway decides whether it is valid. */
  mayBeLoggedIn(): boolean;
  /** Logs this browser in with the code of a link. */
  exchange(code: string): Promise<LoginAnswerOf<"/auth/exchange">["operator"]>;
  /** For `connectHoldpoint`. Throws UNAUTHENTICATED where a person has to open a link first. */
  tabSecret(renew: boolean): Promise<string>;
  /** Ends this browser's log-in, in all its tabs. */
  logout(): Promise<void>;
};

export function createBrowserLogin({ origin, browser, tab }: LoginPlaces): BrowserLogin {
  function forget(): void {
    browser.removeItem(BROWSER_KEY);
    tab.removeItem(TAB_KEY);
  }

  async function openTab(browserSecret: string): Promise<string> {
    const { tabSecret } = await post(origin, "/auth/tab", { browserSecret });
    tab.setItem(TAB_KEY, tabSecret);
    return tabSecret;
  }

  return {
    mayBeLoggedIn: () => browser.getItem(BROWSER_KEY) !== null,
    async exchange(code) {
      const { browserSecret, tabSecret, operator } = await post(origin, "/auth/exchange", { code });
      browser.setItem(BROWSER_KEY, browserSecret);
      tab.setItem(TAB_KEY, tabSecret);
      return operator;
    },
    async tabSecret(renew) {
      const kept = renew ? null : tab.getItem(TAB_KEY);
      if (kept !== null) return kept;
      const browserSecret = browser.getItem(BROWSER_KEY);
      if (browserSecret === null) throw new HoldpointError(NOT_LOGGED_IN);
      return openTab(browserSecret);
    },
    async logout() {
      const browserSecret = browser.getItem(BROWSER_KEY);
      forget();
      if (browserSecret !== null) await post(origin, "/auth/logout", { browserSecret });
    },
  };
}

/** The code in an address's fragment. Whoever finds one takes it out of the address before using it. */
export const loginCodeIn = (fragment: string): string | undefined => CODE.exec(fragment)?.[1];

const NOT_LOGGED_IN = {
  code: "UNAUTHENTICATED",
  message: "This browser is not logged in. Make a link for it in the terminal: holdpoint link",
} as const;

const post = <Path extends LoginPath>(origin: string, path: Path, body: object): Promise<LoginAnswerOf<Path>> =>
  postTo<LoginAnswerOf<Path>>(origin, path, body);

/** As our own page asks the gateway's plain addresses. Throws what the gateway refuses. */
export async function postTo<Answer extends object>(origin: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch((cause: unknown) => {
    throw new HoldpointError({ code: "UNREACHABLE", message: `No gateway answers: ${String(cause)}`, retry: true });
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made it
  const answer = (await response.json()) as Answer | LoginFailure;
  if ("error" in answer) throw new HoldpointError(answer.error);
  return answer;
}
