/** Feishu's REST API: one request with the tenant's token, and what its refusal means. */
import { z } from "zod";
import { SendError } from "../port.ts";
import type { FeishuSettings } from "../protocol/vendors/feishu-settings.ts";
import { createAccessToken } from "../wire/access-token.ts";
import { answerIn, refusedBy, type VendorAnswer, vendorRequest, type VendorRequest } from "../wire/vendor-request.ts";

const TITLE = "Feishu";
const MS = 1_000;
const Answer = z.looseObject({ code: z.number(), msg: z.string().default("") });
const Token = z.object({ tenant_access_token: z.string(), expire: z.number() });
/** Too many of them. */
const TOO_MANY: readonly number[] = [99_991_400, 230_020, 11_232];
/** A token that ended, or that was withdrawn. */
const NO_TOKEN: readonly number[] = [99_991_661, 99_991_663, 99_991_664, 99_991_668];

export type FeishuCall = Omit<VendorRequest, "title" | "headers"> & { path: string };
export type CallFeishu = <Shape extends z.ZodType>(call: FeishuCall, shape: Shape) => Promise<z.infer<Shape>>;

export const rootOf = ({ domain }: Pick<FeishuSettings, "domain">): string => domain.replace(/\/$/, "");

export function createFeishuApi(settings: FeishuSettings, now: () => number): CallFeishu {
  const access = createAccessToken((signal) => askToken(settings, signal), now);
  return async ({ path, ...request }, shape) => {
    const token = await access(request.signal).catch((error: unknown) => {
      // nothing was sent yet, whatever became of the request for the token
      throw new SendError(error instanceof Error ? error.message : String(error), { retry: "later" });
    });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await vendorRequest(`${rootOf(settings)}/open-apis${path}`, { title: TITLE, headers, ...request });
    return answerIn(TITLE, accepted(answer), shape);
  };
}

async function askToken(settings: FeishuSettings, signal: AbortSignal) {
  const { appId, appSecret } = settings;
  const url = `${rootOf(settings)}/open-apis/auth/v3/tenant_access_token/internal`;
  const answer = await vendorRequest(url, { title: TITLE, json: { app_id: appId, app_secret: appSecret }, signal });
  const { data } = Token.safeParse(answer.body);
  if (data === undefined) throw new SendError("Feishu does not accept the app's id and secret.", { retry: "later" });
  return { token: data.tenant_access_token, expiresInSeconds: data.expire };
}

/** What the answer holds; throws what it refuses. */
export function accepted(answer: VendorAnswer): unknown {
  const { data } = Answer.safeParse(answer.body);
  if (data?.code === 0) return data;
  if (answer.status === 429 || TOO_MANY.includes(data?.code ?? 0))
    throw new SendError(`${TITLE}: too many requests`, { retry: "later", afterMs: secondsIn(answer) * MS });
  const detail = data === undefined ? "" : `${data.msg} (${data.code})`;
  if (NO_TOKEN.includes(data?.code ?? 0)) throw new SendError(`${TITLE}: ${detail}`, { retry: "later" });
  throw refusedBy(TITLE, answer, detail);
}

const secondsIn = ({ headers }: VendorAnswer): number =>
  Number(headers.get("x-ogw-ratelimit-reset") ?? headers.get("retry-after") ?? 1);
