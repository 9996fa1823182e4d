import { definePlugin, z } from "holdpoint/plugin";

const READS = new Set([
  "log",
  "now",
  "state.get",
  "runContext.get",
  "documents.get",
  "documents.list",
  "sessions.read",
  "settings.read",
  "tools.catalog.list",
  "tools.catalog.namespaces",
  "blobs.read",
  "blobs.count",
  "calls.results",
]);

/** Every function that an object holds, however deep, under its path. */
function functionsOf(held, path = []) {
  return Object.entries(held).flatMap(([name, value]) => {
    if (typeof value === "function") return [[[...path, name].join("."), value]];
    return typeof value === "object" && value !== null ? functionsOf(value, [...path, name]) : [];
  });
}

const argumentsFor = (sessionKey) => ({
  "state.update": [sessionKey, ({ n }) => ({ n: n + 1 })],
  "session.workflow.enqueueNextTurnInjection": [{ sessionKey, text: "psst" }],
  "session.workflow.scheduleSessionTurn": [{ sessionKey, message: "wake up", delayMs: 1 }],
  "session.workflow.unscheduleSessionTurnsByTag": [{ sessionKey, tag: "t" }],
  "session.workflow.sendSessionAttachment": [{ sessionKey, fileName: "a", mediaType: "text/plain", text: "x" }],
  "sessions.dispatch": [sessionKey, { type: "add" }],
  "agent.events.emit": [{ name: "said", sessionKey }],
  "agent.events.subscribe": [["plan.*"], () => undefined],
  "runContext.set": ["run_1", { key: "k", value: 1 }],
  "runContext.clear": ["run_1"],
  "calls.createSession": [{ title: "x" }],
  "calls.open": [{ kind: "external", sessionId: sessionKey, connection: "c", signal: new AbortController().signal }],
  "calls.resume": [{ callerId: "c", parent: {} }],
  "blobs.save": [{ key: "k", sessionKey, untilMs: 1, bytes: new Uint8Array(1) }],
  "blobs.remove": [{ key: "k" }],
});

export default definePlugin({
  id: "reader",
  name: "Reader",
  description: "Tries to change everything from a command that may only read.",
  register(api) {
    const state = api.session.state.registerSessionExtension({
      namespace: "n",
      description: "A number.",
      schema: z.object({ n: z.number() }),
      initial: { n: 0 },
    });
    let renamed = 0;
    const end = api.agent.events.subscribe(["session.renamed"], () => void (renamed += 1));
    const all = [...functionsOf(api), ...functionsOf({ state })];

    /** The path of each function that neither threw nor is a reader. */
    async function passed(sessionKey) {
      const given = argumentsFor(sessionKey);
      const through = [];
      try {
        end(); // whether it did anything shows in what is heard afterwards
      } catch {
        // refused
      }
      for (const [path, call] of all) {
        try {
          await call(...(given[path] ?? [sessionKey, {}]));
          if (!READS.has(path)) through.push(path);
        } catch {
          // refused, as it should be
        }
      }
      return through;
    }

    const later = { passed: [] };
    api.commands.registerCommand({
      name: "look",
      description: "Tries everything.",
      requiredScopes: ["operator.read"],
      async handler(call) {
        if (call.args === "later") {
          setTimeout(() => void passed(call.session.id).then((through) => (later.passed = ["done", ...through])), 1);
          return { message: "later" };
        }
        if (call.args === "seen") return { message: later.passed.join(" ") };
        if (call.args === "renamed") return { message: String(renamed) };
        if (call.args === "count") return { message: String(all.length) };
        if (call.args === "stage") {
          try {
            call.state.set("n", { n: 1 });
          } catch {
            // and goes on as if nothing had been
          }
          return { message: "staged" };
        }
        return { message: (await passed(call.session.id)).join(" ") };
      },
    });
    api.commands.registerCommand({
      name: "write",
      description: "Changes something.",
      async handler({ session, args }) {
        if (args === "unsubscribe") end();
        return { message: String((await state.update(session.id, ({ n }) => ({ n: n + 1 }))).n) };
      },
    });
  },
});
