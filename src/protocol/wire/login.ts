/**
 * How a browser logs in, over plain HTTP because only an answer to HTTP can set a cookie.
 *
 *   link with a one-time code ──/auth/exchange──▶ cookie + browserSecret + tabSecret
 *   another tab, or a restarted gateway ──/auth/tab──▶ tabSecret
 *   /auth/logout ──▶ revoked
 *
 * Three secrets, because each alone can be lost: a cookie is sent to every port of its host, so another server there may
 * read it; what a page keeps for its origin can be read by a script that got into the page. It takes both to log in.
 */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { Scope } from "../actor.ts";
import { OperatorId } from "../ids.ts";
import { Refusal } from "../refusal.ts";

const secret = z.string().min(1).max(128);

const LoginOperator = lazySchema(() =>
  z.strictObject({ id: OperatorId, name: z.string(), scopes: z.array(Scope), device: OperatorId }),
);

export const LOGINS = {
  "/auth/exchange": {
    summary: "Uses up the code of a link, and logs this browser in. Sets the cookie.",
    request: z.strictObject({ code: secret }),
    answer: z.strictObject({
      /** For this origin's localStorage: new tabs show it. */
      browserSecret: z.string(),
      /** For this tab's sessionStorage: the handshake shows it. */
      tabSecret: z.string(),
      operator: LoginOperator,
      /** When the log-in ends if this browser is not used until then. */
      expiresAtMs: z.int(),
    }),
  },
  "/auth/tab": {
    summary: "A secret for one more tab of a browser that is logged in. Prolongs the log-in.",
    request: z.strictObject({ browserSecret: secret }),
    answer: z.strictObject({ tabSecret: z.string(), operator: LoginOperator, expiresAtMs: z.int() }),
  },
  "/auth/logout": {
    summary: "Revokes this browser's log-in and ends its connections.",
    request: z.strictObject({ browserSecret: secret }),
    answer: z.strictObject({}),
  },
} as const;

export type LoginPath = keyof typeof LOGINS;
export type LoginAnswerOf<Path extends LoginPath> = z.infer<(typeof LOGINS)[Path]["answer"]>;

export const LoginFailure = lazySchema(() => z.strictObject({ error: Refusal }));
export type LoginFailure = z.infer<typeof LoginFailure>;
