/** Mattermost's REST API: one request, and what its refusal means. */
import { z } from "zod";
import { SendError } from "../port.ts";
import { answerIn, isOk, refusedBy, vendorRequest, type VendorRequest } from "../wire/vendor-request.ts";

const TITLE = "Mattermost";
const MS = 1_000;
const Problem = z.object({ message: z.string().default("") });

export type MattermostCall = Omit<VendorRequest, "title" | "headers"> & { path: string };
export type CallMattermost = <Shape extends z.ZodType>(call: MattermostCall, shape: Shape) => Promise<z.infer<Shape>>;

export const createMattermostApi =
  ({ server, token }: { server: string; token: string }): CallMattermost =>
  async ({ path, ...request }, shape) => {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${server.replace(/\/$/, "")}/api/v4${path}`;
    const answer = await vendorRequest(url, { title: TITLE, headers, ...request });
    if (isOk(answer)) return answerIn(TITLE, answer.body, shape);
    const reset = answer.headers.get("x-ratelimit-reset");
    if (answer.status === 429 && reset !== null)
      throw new SendError(`${TITLE}: too many requests`, { retry: "later", afterMs: Math.ceil(Number(reset) * MS) });
    throw refusedBy(TITLE, answer, Problem.safeParse(answer.body).data?.message ?? "");
  };
