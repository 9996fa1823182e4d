// An incident is acknowledged in time, or goes to the next operator: the scheduler wakes the agent, who pages them.
import { definePlugin, z } from "holdpoint/plugin";

const TAG = "escalation";

const Incident = z.strictObject({
  title: z.string(),
  status: z.enum(["none", "open", "acknowledged"]),
  /** Which of the operators is in charge; the last one stays. */
  level: z.int().nonnegative(),
  /** When it goes to the next one. */
  dueAtMs: z.number().nullable(),
});
const NONE = { title: "", status: /** @type {const} */ ("none"), level: 0, dueAtMs: null };

/** @param {string} message */
const usage = (message) => ({ refusal: { code: /** @type {const} */ ("COMMAND_USAGE"), message } });

/** @type {import("holdpoint/plugin").UiDescriptor} */
const BADGE = {
  id: "incident",
  surface: "session-header",
  label: "Incident",
  body: [{ kind: "badge", text: { path: "incident.status" }, tone: "danger", when: { path: "incident.isOpen" } }],
};

/** @param {import("holdpoint/plugin").SessionWorkflow} workflow @returns {import("holdpoint/plugin").PluginCommand} */
const ticketCommand = (workflow) => ({
  name: "ticket",
  async handler({ args, session, actor, state }) {
    const incident = Incident.parse(state.get("incident"));
    if (args !== "close" || incident.status === "none") return usage("No ticket is open, or say: /ticket close");
    await workflow.unscheduleSessionTurnsByTag({ sessionKey: session.id, tag: TAG });
    state.set("incident", NONE);
    return { message: `${actor.name} closed "${incident.title}".`, continueAgent: true, delivery: "channel" };
  },
});

export default definePlugin({
  id: "incident",
  name: "Incident",
  description: "An incident is acknowledged in time, or goes to the next operator.",
  configSchema: z.strictObject({
    operators: z.array(z.string()).min(1).default(["first on call", "second on call"]),
    minutes: z.number().min(1).max(1440).default(15),
  }),
  register(api) {
    const { operators, minutes } = api.config;
    const waitMs = minutes * 60_000;
    /** @param {number} level */
    const inCharge = (level) => operators[level] ?? operators.at(-1) ?? "nobody";
    /** @param {z.infer<typeof Incident>} incident */
    const statusOf = ({ title, status, level }) =>
      status === "none" ? "no incident" : `"${title}" is ${status}, ${inCharge(level)} is in charge`;

    const incidents = api.session.state.registerSessionExtension({
      namespace: "incident",
      description: "The incident of this session, and who is in charge.",
      schema: Incident,
      initial: NONE,
      project: (incident) => ({ status: statusOf(incident), isOpen: incident.status === "open" }),
    });

    /** @param {string} title @param {number} atMs */
    const begun = (title, atMs) => raised({ ...NONE, title, status: "open", level: -1 }, atMs);
    /** @param {z.infer<typeof Incident>} incident @param {number} atMs */
    function raised(incident, atMs) {
      const level = Math.min(incident.level + 1, operators.length - 1);
      return { ...incident, level, dueAtMs: level < operators.length - 1 ? atMs + waitMs : null };
    }

    /** The agent is woken when the time is over, whether or not this process lives until then. @param {string} sessionKey */
    async function wakeLater(sessionKey) {
      await api.session.workflow.unscheduleSessionTurnsByTag({ sessionKey, tag: TAG });
      const message = `${minutes} minutes have passed since an operator was called. See who is in charge now.`;
      await api.session.workflow.scheduleSessionTurn({ sessionKey, message, tag: TAG, delayMs: waitMs });
    }

    api.on("agent_turn_prepare", async ({ sessionKey, atMs }) => {
      const before = await incidents.get(sessionKey);
      if (before.status !== "open") return undefined;
      const isDue = before.dueAtMs !== null && atMs >= before.dueAtMs;
      const now = isDue
        ? await incidents.update(sessionKey, (state) =>
            state.dueAtMs === before.dueAtMs && state.status === "open" ? raised(state, atMs) : state,
          )
        : before;
      if (isDue && now.dueAtMs !== null) await wakeLater(sessionKey);
      if (isDue) await api.agent.events.emit({ name: "escalated", sessionKey, data: { to: inCharge(now.level) } });
      return { prependContext: `Incident: ${statusOf(now)}.` + (isDue ? ` Page ${inCharge(now.level)} now.` : "") };
    });

    api.commands.registerCommand({
      name: "incident",
      description: "Open, acknowledge or escalate an incident.",
      async handler({ args, atMs, session, actor, state, enqueueNextTurnInjection }) {
        const incident = Incident.parse(state.get("incident"));
        const [, word = "status", title = ""] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
        if (word === "open" && title !== "") {
          const opened = begun(title, atMs);
          if (opened.dueAtMs !== null) await wakeLater(session.id);
          state.set("incident", opened);
          enqueueNextTurnInjection({
            text: `An incident was opened: ${title}. Page ${inCharge(0)}, then look into it.`,
          });
          return { message: `${statusOf(opened)}.`, continueAgent: true, delivery: "channel" };
        }
        if (word === "status") return { message: `${statusOf(incident)}.` };
        if (incident.status !== "open") return usage("No incident is open: /incident open <what happened>");
        if (word === "ack") {
          await api.session.workflow.unscheduleSessionTurnsByTag({ sessionKey: session.id, tag: TAG });
          state.set("incident", { ...incident, status: "acknowledged", dueAtMs: null });
          enqueueNextTurnInjection({ text: `${actor.name} acknowledged the incident. Nobody else need be called.` });
          return { message: `Acknowledged by ${actor.name}.`, delivery: "channel" };
        }
        if (word !== "escalate") return usage("open, ack, escalate or status?");
        const next = raised(incident, atMs);
        if (next.dueAtMs !== null) await wakeLater(session.id);
        state.set("incident", next);
        enqueueNextTurnInjection({ text: `${actor.name} escalated the incident. Page ${inCharge(next.level)} now.` });
        return { message: `${statusOf(next)}.`, continueAgent: true, delivery: "channel" };
      },
    });

    api.registerCommand(ticketCommand(api.session.workflow));
    api.session.controls.registerControlUiDescriptor(BADGE);
  },
});
