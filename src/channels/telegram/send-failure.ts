/** What a failed call of the Bot API means for the thing that was to be sent. */
import { GrammyError, HttpError } from "grammy/web";
import { SendError } from "../port.ts";

const MS = 1_000;

export function sendFailure(error: unknown): SendError {
  if (error instanceof GrammyError) {
    const { error_code: code, description, parameters } = error;
    // what is no answer of the Bot API at all, such as a page of something in between, says nothing about the message
    if (typeof code !== "number")
      return new SendError("Telegram answered something that cannot be read.", { retry: "later", maybeSent: true });
    const afterMs = parameters.retry_after === undefined ? {} : { afterMs: parameters.retry_after * MS };
    const isBusy = code === 429 || code >= 500;
    // Telegram answered that it did not take it; after a failure of its own nobody knows
    return new SendError(`Telegram: ${description}`, {
      retry: isBusy ? "later" : "never",
      ...afterMs,
      maybeSent: code >= 500,
    });
  }
  if (error instanceof HttpError)
    return new SendError("Telegram could not be reached.", { retry: "later", maybeSent: !isRefused(error.error) });
  return new SendError(error instanceof Error ? error.message : String(error), { retry: "later", maybeSent: true });
}

/** No connection was made, so nothing was sent. */
function isRefused(failure: unknown): boolean {
  const code = codeOf(failure) ?? codeOf(failure instanceof Error ? failure.cause : undefined);
  return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN";
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** The very text that stands there already: no failure. */
export const isUnchanged = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 400 && /message is not modified/i.test(error.description);

/** The topic was closed or deleted: the group itself is still there. */
export const isTopicGone = (error: unknown): boolean =>
  error instanceof GrammyError &&
  error.error_code === 400 &&
  /thread not found|topic_closed|topic_deleted/i.test(error.description);
