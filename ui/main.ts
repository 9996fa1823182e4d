/** The entry point of the page: language and theme, the log-in, then the shell over one connection. */
import { createBrowserLogin, loginCodeIn } from "../src/client/browser-login.ts";
import { connectHoldpoint } from "../src/client/client.ts";
import { HoldpointError } from "../src/client/holdpoint-error.ts";
import { createApp, loadProblems, tellProblem } from "./app/app.ts";
import { fetchAhead } from "./app/fetch-ahead.ts";
import { createKeys } from "./app/keys.ts";
import { createNotices } from "./app/notices.ts";
import { createRouter } from "./app/router.ts";
import { Shell } from "./app/shell.ts";
import { wantedLanguages } from "./i18n/kept-language.ts";
import { language, speak, withTexts } from "./i18n/t.ts";
import { rememberPaletteKey } from "./palette/palette-key.ts";
import { createAppState } from "./state/app-state.ts";
import { installTheme } from "./theme/theme.ts";

const login = createBrowserLogin({ origin: location.origin, browser: localStorage, tab: sessionStorage });

const LOOK_EVERY_MS = 2_000;
/** An hour; after that a person has to reload. */
const LOOKS_MAX = 1_800;

/** `because`: why the log-in failed or ended, if one was tried or lost. */
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

const loadSignedOut = () => withTexts(() => import("./app/signed-out.ts"), "cards", "problems", "localized");

async function showSignedOut({ because }: SignedOut): Promise<void> {
  const found = await loadSignedOut().catch(() => undefined);
  if (found === undefined) return reloadWhenBack();
  const { SignedOutPage } = found;
  const element = new SignedOutPage();
  element.reason = because;
  element.addEventListener("hp-log-in", (event) => {
    if (event instanceof CustomEvent) void exchange(String(event.detail)).then(open);
  });
  document.body.replaceChildren(element);
}

/** The gateway became unreachable while code was loading; a browser retries a failed import only after a reload. */
async function reloadWhenBack(): Promise<void> {
  for (let tries = 0; tries < LOOKS_MAX; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => undefined);
    if (answer?.ok === true) return location.reload();
  }
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
  fetchAhead(state);
  document.body.replaceChildren(shell);
  // both ahead of time, because the gateway may be unreachable when they are needed
  for (const load of [loadProblems, loadSignedOut]) void load().catch(() => undefined);
  void import("./localized/outside-texts.ts").then(
    ({ followOutsideTexts }) => followOutsideTexts(state),
    () => undefined, // likewise
  );
  const wasPaletteAsked = rememberPaletteKey();
  void withTexts(() => import("./palette/start-palette.ts"), "palette").then(
    ({ startPalette }) => startPalette(shell.app, wasPaletteAsked()),
    () => undefined, // likewise
  );
  void withTexts(() => import("./inbox/notify.ts"), "cards", "inbox").then(
    ({ startNotifying }) => startNotifying(shell.app),
    () => undefined, // the gateway is unreachable: the next reload brings it
  );
}

const whySignedOut = (message: string): SignedOut =>
  message === "" ? {} : { because: new HoldpointError({ code: "UNAUTHENTICATED", message }) };

const open = (out: SignedOut | undefined): void => (out === undefined ? showShell() : void showSignedOut(out));

/** A link that adds a passkey is no log-in: it shows one view, whoever is logged in here. */
const isEnrolment = location.hash.startsWith("#passkey=");

installTheme();
const [signedOut] = await Promise.all([isEnrolment ? {} : logIn(), speak(wantedLanguages())]);
const tellLanguage = (): void => void (document.documentElement.lang = language.get().locale);
language.subscribe(tellLanguage);
tellLanguage();
if (isEnrolment) await import("./presence/show-enrolment.ts").then(({ showEnrolment }) => showEnrolment());
else open(signedOut);
void import("./app/install-offline.ts").then(
  ({ installOffline }) => installOffline(),
  () => undefined, // the gateway is unreachable: the next reload brings it
);
