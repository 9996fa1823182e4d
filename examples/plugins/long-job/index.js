// A job that outlives a turn: the scheduler wakes the agent every ten minutes, who says how far it is, until it is done.
import { definePlugin, z } from "holdpoint/plugin";

const TAG = "long-job";
const DONE = 100;

const Job = z.strictObject({ what: z.string(), percent: z.int().min(0).max(DONE), isRunning: z.boolean() });
/** @param {z.infer<typeof Job>} job */
const statusOf = ({ what, percent, isRunning }) =>
  what === "" ? "no job" : `${what}: ${percent}%${isRunning ? "" : percent === DONE ? ", done" : ", stopped"}`;

export default definePlugin({
  id: "long-job",
  name: "Long job",
  description: "A job that runs for hours: the agent is woken to look after it until it is done.",
  register(api) {
    const { workflow } = api.session;
    const jobs = api.session.state.registerSessionExtension({
      namespace: "job",
      description: "The job of this session, and how far it is.",
      schema: Job,
      initial: { what: "", percent: 0, isRunning: false },
      project: (job) => ({ status: statusOf(job) }),
    });

    api.on("agent_turn_prepare", async ({ sessionKey }) => {
      const job = await jobs.get(sessionKey);
      if (!job.isRunning) return undefined;
      return { appendContext: `The job "${job.what}" is at ${job.percent}%. Look at it and say so by job_progress.` };
    });

    api.tools.registerTool({
      name: "job_progress",
      description: "Says how far the job is, in percent. At 100 it is done.",
      kind: "read_only",
      effect: "read", // it changes nothing but this plugin's own note: a turn that nobody attends may call it
      input: z.strictObject({ percent: z.int().min(0).max(DONE) }),
      async run({ percent }, { sessionId, turnId }) {
        const job = await jobs.update(sessionId, (now) => ({ ...now, percent, isRunning: percent < DONE }));
        if (job.isRunning) {
          const earlier = turnId === undefined ? undefined : await api.runContext.get(turnId, "percent");
          if (turnId !== undefined) await api.runContext.set(turnId, { key: "percent", value: percent }); // gone with the run
          return { status: "ok", content: `noted: ${percent}%, after ${JSON.stringify(earlier ?? null)} in this turn` };
        }
        await workflow.unscheduleSessionTurnsByTag({ sessionKey: sessionId, tag: TAG });
        const text = `${job.what} is done.`;
        await workflow.sendSessionAttachment({
          sessionKey: sessionId,
          fileName: "job.txt",
          mediaType: "text/plain",
          text,
        });
        await api.agent.events.emit({ name: "done", sessionKey: sessionId, data: { what: job.what } });
        return { status: "ok", content: "done" };
      },
    });

    api.registerCommand({
      name: "job",
      async handler({ args, session, state }) {
        const job = Job.parse(state.get("job"));
        const [, word = "status", what = ""] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
        if (word === "start" && what !== "") {
          await workflow.unscheduleSessionTurnsByTag({ sessionKey: session.id, tag: TAG });
          const message = "Look after the job.";
          await workflow.scheduleSessionTurn({
            sessionKey: session.id,
            message,
            tag: TAG,
            cron: "*/10 * * * *",
            tz: "UTC",
          });
          state.set("job", { what, percent: 0, isRunning: true });
          return { message: `Begun: ${what}.`, continueAgent: true };
        }
        if (word !== "stop") return { message: statusOf(job) };
        await workflow.unscheduleSessionTurnsByTag({ sessionKey: session.id, tag: TAG });
        const stopped = { ...job, isRunning: false };
        state.set("job", stopped);
        return { message: statusOf(stopped), delivery: "channel" };
      },
    });
  },
});
