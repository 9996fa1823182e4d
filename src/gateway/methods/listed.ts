/** Answers a request for a page, with a refusal for an invalid cursor. */
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { InvalidCursorError } from "../../store/list/page.ts";

/** A page of something; a cursor that no earlier page returned is a mistake of the caller, not of ours. */
export async function listed<Result>(read: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InvalidCursorError) return refuse("INVALID_REQUEST", error.message, { path: "cursor" });
    throw error;
  }
}
