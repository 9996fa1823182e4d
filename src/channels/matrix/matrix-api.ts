/** The client-server API of Matrix: one request, and what its refusal means. */
import { z } from "zod";
import { SendError } from "../port.ts";
import { answerIn, isOk, refusedBy, vendorRequest, type VendorRequest } from "../wire/vendor-request.ts";

const TITLE = "Matrix";
const Problem = z.object({ errcode: z.string(), error: z.string().default(""), retry_after_ms: z.number().optional() });

export type MatrixCall = Omit<VendorRequest, "title"> & { path: string };
export type CallMatrix = <Shape extends z.ZodType>(call: MatrixCall, shape: Shape) => Promise<z.infer<Shape>>;

/** `errcode`: the word of the specification for it. */
export class MatrixError extends SendError {
  readonly errcode: string;

  constructor(message: string, errcode: string, how: ConstructorParameters<typeof SendError>[1]) {
    super(message, how);
    this.errcode = errcode;
  }
}

export const createMatrixApi =
  ({ homeserver, accessToken }: { homeserver: string; accessToken: string }): CallMatrix =>
  async ({ path, headers = {}, ...request }, shape) => {
    const authorized = { authorization: `Bearer ${accessToken}`, ...headers };
    const url = `${homeserver.replace(/\/$/, "")}/_matrix${path}`;
    const answer = await vendorRequest(url, { title: TITLE, headers: authorized, ...request });
    if (isOk(answer)) return answerIn(TITLE, answer.body, shape);
    const { data } = Problem.safeParse(answer.body);
    const { retry, afterMs, maybeSent } = refusedBy(TITLE, answer, "");
    const wait = data?.retry_after_ms ?? afterMs;
    const message = `${TITLE}: ${data === undefined ? `status ${answer.status}` : `${data.errcode} ${data.error}`.trim()}`;
    throw new MatrixError(message, data?.errcode ?? "", {
      retry,
      maybeSent,
      ...(wait === undefined ? {} : { afterMs: wait }),
    });
  };
