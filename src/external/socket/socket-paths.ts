/** Where the sockets of a gateway lie, for those who connect to them. */
import { dirname, join } from "node:path";

/** Where hooks and keepers find the gateway of this folder. */
export const decisionSocketPath = (home: string): string => join(home, "agents.sock");

/** What the tree of one run sees of the gateway: a folder, because a socket that is made anew is another file. */
export const runSocketPath = (home: string, sessionId: string): string => join(home, "runs", sessionId, "agents.sock");

export const runFolder = (home: string, sessionId: string): string => dirname(runSocketPath(home, sessionId));
