/** The refusal of a request that names a session that does not exist. */
import { refuse } from "../protocol/refusal.ts";

export const NO_SESSION = refuse("SESSION_NOT_FOUND", "There is no such session. List them with sessions.list.");
