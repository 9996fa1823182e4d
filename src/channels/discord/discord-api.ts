/** Discord's REST API: one request, and what its refusal means for what was to be sent. */
import { z } from "zod";
import { SendError } from "../port.ts";
import { answerIn, isOk, refusedBy, vendorRequest, type VendorRequest } from "../wire/vendor-request.ts";

const TITLE = "Discord";
const MS = 1_000;
const Problem = z.object({
  message: z.string().default(""),
  code: z.number().optional(),
  retry_after: z.number().optional(),
});

export type DiscordCall = Omit<VendorRequest, "title" | "headers"> & { path: string };
export type CallDiscord = <Shape extends z.ZodType>(call: DiscordCall, shape: Shape) => Promise<z.infer<Shape>>;

export const createDiscordApi =
  ({ token, apiRoot }: { token: string; apiRoot: string }): CallDiscord =>
  async ({ path, ...request }, shape) => {
    const headers = { authorization: `Bot ${token}`, "user-agent": "DiscordBot (holdpoint, 1)" };
    const answer = await vendorRequest(`${apiRoot.replace(/\/$/, "")}${path}`, { title: TITLE, headers, ...request });
    if (isOk(answer)) return answerIn(TITLE, answer.body, shape);
    const { data } = Problem.safeParse(answer.body);
    const after = data?.retry_after;
    if (after !== undefined)
      throw new SendError(`${TITLE}: ${data?.message ?? ""}`, { retry: "later", afterMs: Math.ceil(after * MS) });
    throw refusedBy(TITLE, answer, data === undefined ? "" : `${data.message} (${data.code ?? answer.status})`);
  };
