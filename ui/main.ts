/** The page begins here: language and theme, the log-in, then the shell over one connection. */
import { createBrowserLogin, loginCodeIn } from "../src/client/browser-login.ts";
import { connectHoldpoint } from "../src/client/client.ts";
import { HoldpointError } from "../src/client/holdpoint-error.ts";
import { createApp, tellProblem } from "./app/app.ts";
import { createKeys } from "./app/keys.ts";
import { createNotices } from "./app/notices.ts";
import { createRouter } from "./app/router.ts";
import { Shell } from "./app/shell.ts";
import { wantedLanguages } from "./i18n/kept-language.ts";
import { language, speak, speakOfProblems } from "./i18n/t.ts";
import { createAppState } from "./state/app-state.ts";
import { installOffline } from "./app/install-offline.ts";
import { installTheme } from "./theme/theme.ts";

const login = createBrowserLogin({ origin: location.origin, browser: localStorage, tab: sessionStorage });

/** `because`: what stood in the way of a log-in, if one was tried or lost. */
type SignedOut = { because?: unknown };

/** A code in the address is taken out of it before it is used, so that no history keeps it. */
async function logIn(): Promise<SignedOut | undefined> {
  const code = loginCodeIn(location.hash);
  if (code === undefined) return login.mayBeLoggedIn() ? undefined : {};
  history.replaceState(null, "", location.pathname);
  return exchange(code);
}

/** Undefined when it worked; else why not. */
async function exchange(code: string): Promise<SignedOut | undefined> {
  try {
    await login.exchange(code);
    return undefined;
  } catch (error) {
    return { because: error };
  }
}

async function showSignedOut({ because }: SignedOut): Promise<void> {
  const [{ SignedOutPage }] = await Promise.all([import("./app/signed-out.ts"), speakOfProblems()]);
  const element = new SignedOutPage();
  element.reason = because;
  element.addEventListener("hp-log-in", (event) => {
    if (event instanceof CustomEvent) void exchange(String(event.detail)).then(open);
  });
  document.body.replaceChildren(element);
}

function showShell(): void {
  const notices = createNotices();
  const router = createRouter();
  const keys = createKeys();
  const state = createAppState(
    (onStatus) =>
      connectHoldpoint({
        url: location.origin,
        tabSecret: login.tabSecret,
        clientName: "holdpoint-page",
        surface: "web",
        patient: true,
        onStatus,
      }),
    (error) => void tellProblem(notices, error),
  );
  const shell = new Shell();
  const logOut = async (): Promise<void> => {
    await login.logout();
    state.close(); // which says that this tab is signed out
  };
  shell.app = createApp({ state, router, keys, notices, logOut });
  state.connection.subscribe(() => {
    const now = state.connection.get();
    if (now.status === "signed-out") void showSignedOut(whySignedOut(now.reason));
  });
  router.start();
  keys.start();
  document.body.replaceChildren(shell);
  void speakOfProblems(); // before the first one: by then, the gateway may be what is missing
  void import("./inbox/notify.ts").then(
    ({ startNotifying }) => startNotifying(shell.app),
    () => undefined, // the gateway went away just now: the next reload brings it
  );
}

const whySignedOut = (message: string): SignedOut =>
  message === "" ? {} : { because: new HoldpointError({ code: "UNAUTHENTICATED", message }) };

const open = (out: SignedOut | undefined): void => (out === undefined ? showShell() : void showSignedOut(out));

installTheme();
const [signedOut] = await Promise.all([logIn(), speak(wantedLanguages())]);
const tellLanguage = (): void => void (document.documentElement.lang = language.get().locale);
language.subscribe(tellLanguage);
tellLanguage();
open(signedOut);
installOffline();
