/** The answer to whoever names a session that is not there. */
import { refuse } from "../protocol/refusal.ts";

export const NO_SESSION = refuse("SESSION_NOT_FOUND", "There is no such session. List them with sessions.list.");
