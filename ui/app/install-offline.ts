/** Lets the page open and show its state even while its gateway is unreachable. */
const SERVICE_WORKER = "/sw.js";

type Policies = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrls };
type ScriptUrls = { createScriptURL(url: string): unknown };

export function installOffline(): void {
  if (!("serviceWorker" in navigator)) return; // a plain address of another machine: the browser allows none
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the document's types do not know trusted script addresses yet
  const url = scriptUrls().createScriptURL(SERVICE_WORKER) as string;
  navigator.serviceWorker.register(url).catch(() => undefined); // the page works without it
  let stop = tellFetched();
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    stop();
    stop = tellFetched();
  });
}

/** A new worker has not seen what was fetched before it started, such as the texts of the language in use. */
function tellFetched(): () => void {
  const { controller } = navigator.serviceWorker;
  if (controller === null) return () => undefined;
  const observer = new PerformanceObserver((list) => {
    const fetched = list.getEntries().map(({ name }) => new URL(name));
    const paths = fetched.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is of its page's own origin
    controller.postMessage({ fetched: paths.filter((path) => path.startsWith("/assets/")) });
  });
  observer.observe({ type: "resource", buffered: true });
  return () => observer.disconnect();
}

/** The page's policy takes script addresses from here only. */
function scriptUrls(): ScriptUrls {
  const policies: unknown = Reflect.get(globalThis, "trustedTypes");
  return isPolicies(policies) ? policies.createPolicy("holdpoint", RULES) : RULES;
}

/** The policy that allows only the worker's address. */
const RULES = {
  createScriptURL(url: string): string {
    if (url !== SERVICE_WORKER) throw new TypeError(`no script at ${url}`);
    return url;
  },
};

const isPolicies = (value: unknown): value is Policies =>
  typeof value === "object" && value !== null && "createPolicy" in value;
