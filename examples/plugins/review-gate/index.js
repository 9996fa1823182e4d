// Nothing is pushed or sent out before a person approved the diff, and an approval is good for one push.
import { definePlugin, digestOf, z } from "holdpoint/plugin";

const DIFF_CHARS_MAX = 12_000;

const Review = z.strictObject({
  status: z.enum(["none", "waiting", "approved", "changes"]),
  title: z.string(),
  /** Names the diff that people were shown. */
  digest: z.string(),
  by: z.string(),
  /** The call that goes out on this approval. */
  usedBy: z.string(),
});
const NONE = { status: /** @type {const} */ ("none"), title: "", digest: "", by: "", usedBy: "" };

const WORDS = {
  none: "no diff was handed in",
  waiting: "waits for review",
  approved: "approved",
  changes: "needs changes",
};
/** @param {z.infer<typeof Review>} review */
const statusOf = ({ status, title, by }) =>
  status === "none" ? WORDS.none : `"${title}" ${WORDS[status]}` + (by === "" ? "" : ` (${by})`);

/** `git push` in any writing that can be read plainly. @param {string} command */
const pushes = (command) => /\bgit\b[^;&|]*\bpush\b/.test(command.replaceAll(/["'\\]/g, ""));
/** What a shell would still have to work out; nobody can tell whether it pushes. @param {string} command */
const isVeiled = (command) => /\$\(|`|\beval\b|\bbase64\b|\$\{|\bxargs\b/.test(command);

/** @param {{ tool: string, kind: string, effect: string, args?: Record<string, unknown> }} call */
function goesOut({ tool, kind, effect, args = {} }) {
  if (kind === "outbound" && effect === "write") return "yes";
  const command = typeof args.command === "string" ? args.command : "";
  if (tool !== "exec" || effect === "read") return "no";
  if (pushes(command)) return "yes";
  return isVeiled(command) ? "perhaps" : "no";
}

/** @type {import("holdpoint/plugin").UiDescriptor} */
const BADGE = {
  id: "review",
  surface: "session-header",
  label: "Review",
  body: [{ kind: "badge", text: { path: "review.status" }, tone: "warning", when: { path: "review.isWaiting" } }],
};

/** @param {import("holdpoint/plugin").CommandCall} call @returns {Promise<import("holdpoint/plugin").CommandResult>} */
async function decide({ args, actor, state, enqueueNextTurnInjection }) {
  const review = Review.parse(state.get("review"));
  const [, word = "status", note = ""] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
  if (word === "status") return { message: `${statusOf(review)}.` };
  if (review.status === "none")
    return { refusal: { code: "COMMAND_USAGE", message: "The agent has handed in no diff." } };
  if (word === "approve") {
    state.set("review", { ...review, status: "approved", by: actor.name, usedBy: "" });
    enqueueNextTurnInjection({ text: `${actor.name} approved "${review.title}". Push exactly that now.` });
    return { message: `Approved "${review.title}", for one push.`, continueAgent: true, delivery: "channel" };
  }
  if (word === "rerun") {
    state.set("review", NONE);
    enqueueNextTurnInjection({ text: "Make the diff again from what is there now, and call request_review." });
    return { message: "The diff is made again.", continueAgent: true };
  }
  if (word !== "request-changes" || note === "")
    return { refusal: { code: "COMMAND_USAGE", message: "What should change? /review request-changes <what>" } };
  state.set("review", { ...review, status: "changes", by: actor.name });
  enqueueNextTurnInjection({ text: `${actor.name} wants changes to "${review.title}": ${note}` });
  return { message: "The agent was told.", continueAgent: true };
}

export default definePlugin({
  id: "review-gate",
  name: "Review gate",
  description: "Nothing is pushed or sent out before a person approved the diff.",
  register(api) {
    const reviews = api.session.state.registerSessionExtension({
      namespace: "review",
      description: "Which diff was handed in, and what people said.",
      schema: Review,
      initial: NONE,
      project: (review) => ({ status: statusOf(review), isWaiting: review.status === "waiting" }),
    });

    api.tools.registerTool({
      name: "request_review",
      description:
        "Hands in the diff that you want to push or send. A person looks at it; wait until they have decided.",
      kind: "read_only",
      effect: "read", // it changes nothing but the review
      input: z.strictObject({ title: z.string().min(1).max(200), diff: z.string().min(1).max(DIFF_CHARS_MAX) }),
      async run({ title, diff }, { sessionId }) {
        const digest = digestOf({ title, diff });
        await reviews.update(sessionId, () => ({ ...NONE, status: "waiting", title, digest }));
        await api.session.workflow.sendSessionAttachment({
          sessionKey: sessionId,
          fileName: "review.diff",
          mediaType: "text/x-diff",
          text: diff,
        });
        return { status: "ok", content: "People were shown the diff. Wait for their decision." };
      },
    });

    api.on("before_tool_call", async (call) => {
      const out = goesOut(call);
      if (out === "no") return undefined;
      if (out === "perhaps") return { ask: "nobody can tell whether this command pushes" };
      const review = await reviews.update(call.sessionKey, (now) =>
        now.status === "approved" && now.usedBy === "" ? { ...now, usedBy: call.callId } : now,
      );
      if (review.status === "approved" && review.usedBy === call.callId) return undefined;
      return {
        block: `This goes out, and the review says: ${statusOf(review)}. Call request_review first, then wait.`,
      };
    });

    api.on("after_tool_call", async ({ callId, sessionKey }) => {
      await reviews.update(sessionKey, (review) => (review.usedBy === callId ? NONE : review));
    });

    api.commands.registerCommand({
      name: "review",
      description: "Decide on the diff that the agent wants to push.",
      handler: decide,
    });

    api.session.controls.registerControlUiDescriptor(BADGE);
  },
});
