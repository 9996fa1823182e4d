/** The port through which the transport checks and creates log-ins of browsers. */
import type { Refused } from "../../protocol/refusal.ts";
import type { Operator } from "../operator.ts";

export type LoggedIn = { tabSecret: string; operator: Operator; expiresAtMs: number };

/** Why a log-in fails: a wrong secret counts against the address it came from, an expired or foreign one does not. */
export type NotLoggedIn = { notLoggedIn: "guess" | "expired" | "other-tab" };

export type Logins = {
  /** Works once for each code. The log-in that this browser had before ends. */
  exchange(given: {
    code: string;
    cookie: string | undefined;
    userAgent: string;
  }): Promise<(LoggedIn & { cookie: string; browserSecret: string }) | NotLoggedIn | Refused>;
  openTab(given: { cookie: string; browserSecret: string }): Promise<LoggedIn | NotLoggedIn | Refused>;
  identifyTab(given: { cookie: string; tabSecret: string }): Promise<Operator | NotLoggedIn>;
  logout(given: { cookie: string; browserSecret: string }): Promise<NotLoggedIn | Refused | undefined>;
};
