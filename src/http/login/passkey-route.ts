/** `/auth/passkey/…`: the routes by which a browser adds a passkey. Only our own page may use them. */
import { ENROLMENTS, type EnrolmentAnswerOf, type NewPasskey } from "../../protocol/wire/enrolment.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { GuessLimit } from "../guess-limit.ts";
import type { HttpAnswer, HttpRequest, HttpRoute } from "../http-route.ts";
import { bodyOf, notOurPage, told, tooManyGuesses } from "./login-routes.ts";

const BODY_BYTES_MAX = 32_768;
const PLACE = "/auth/passkey/";

/** The port through which the transport enrols passkeys. */
export type Enrolments = {
  options(code: string): Promise<EnrolmentAnswerOf<"/auth/passkey/options"> | Refused>;
  /** Works once for each code. */
  enrol(given: {
    code: string;
    name: string;
    response: NewPasskey;
  }): Promise<EnrolmentAnswerOf<"/auth/passkey/enrol"> | Refused>;
};

type Parts = { enrolments: Enrolments; guesses: GuessLimit };

export function createPasskeyRoute(parts: Parts): HttpRoute {
  return {
    takes: (path) => path.startsWith(PLACE),
    methods: ["POST"],
    bodyBytesMax: BODY_BYTES_MAX,
    async answer(request) {
      const stranger = notOurPage(request);
      if (stranger !== undefined) return stranger;
      const waitMs = parts.guesses.waitMs(request.peer);
      return waitMs > 0 ? tooManyGuesses(waitMs) : answered(request, parts);
    },
  };
}

async function answered(request: HttpRequest, { enrolments, guesses }: Parts): Promise<HttpAnswer> {
  switch (request.path) {
    case "/auth/passkey/options": {
      const body = bodyOf(request, ENROLMENTS[request.path].request);
      if ("refused" in body) return told(400, body);
      const found = await enrolments.options(body.code);
      if ("refused" in found) guesses.wrong(request.peer);
      return shown(found);
    }
    case "/auth/passkey/enrol": {
      const body = bodyOf(request, ENROLMENTS[request.path].request);
      return "refused" in body ? told(400, body) : shown(await enrolments.enrol(body));
    }
    default:
      return told(404, refuse("INVALID_REQUEST", "There is nothing here."));
  }
}

const shown = (answer: object | Refused): HttpAnswer =>
  "refused" in answer ? told(403, answer) : { status: 200, body: JSON.stringify(answer) };
