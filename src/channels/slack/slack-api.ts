/** Slack's Web API: one method is one POST, and its answer says `ok` whatever the status is. */
import { z } from "zod";
import { SendError } from "../port.ts";
import { answerIn, refusedBy, vendorRequest } from "../wire/vendor-request.ts";

const TITLE = "Slack";
const Answer = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

/** What is repaired by a person, so nothing is given up for it. */
const NOT_ALLOWED = /^(?:invalid_auth|not_authed|token_expired|token_revoked|account_inactive|org_login_required)$/;
/** Slack failed itself: nobody knows how far it came. */
const ITS_FAILURE = /^(?:internal_error|fatal_error|service_unavailable|request_timeout)$/;

export type SlackCall = {
  method: string;
  token: string;
  params?: Record<string, unknown>;
  /** For the few methods that do not read JSON. */
  asForm?: boolean;
  signal: AbortSignal;
};
export type CallSlack = <Shape extends z.ZodType>(call: SlackCall, shape: Shape) => Promise<z.infer<Shape>>;

export const createSlackApi =
  (apiRoot: string): CallSlack =>
  async ({ method, token, params = {}, asForm = false, signal }, shape) => {
    const root = apiRoot.replace(/\/$/, "");
    const body = asForm ? { body: formOf(params) } : { json: params };
    const headers = { authorization: `Bearer ${token}` };
    const answer = await vendorRequest(`${root}/${method}`, { title: TITLE, headers, ...body, signal });
    if (answer.status !== 200) throw refusedBy(TITLE, answer, "");
    const { data } = Answer.safeParse(answer.body);
    if (data === undefined) throw new SendError("Slack: its answer is not JSON", { retry: "later", maybeSent: true });
    if (!data.ok) throw failureOf(method, data.error ?? "");
    return answerIn(TITLE, data, shape);
  };

const formOf = (params: Record<string, unknown>): URLSearchParams =>
  new URLSearchParams(Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]));

/** `error`: Slack's own word for it, which callers may branch on. */
export class SlackError extends SendError {
  readonly error: string;

  constructor(method: string, error: string, how: ConstructorParameters<typeof SendError>[1]) {
    super(`Slack refused ${method}: ${error}`, how);
    this.error = error;
  }
}

function failureOf(method: string, error: string): SlackError {
  if (error === "ratelimited") return new SlackError(method, error, { retry: "later", afterMs: 1_000 });
  if (NOT_ALLOWED.test(error)) return new SlackError(method, error, { retry: "later" });
  if (ITS_FAILURE.test(error)) return new SlackError(method, error, { retry: "later", maybeSent: true });
  return new SlackError(method, error, { retry: "never" });
}
