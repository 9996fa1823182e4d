/** What a call is answered with that held a secret of the gateway: it is recorded without it, and not made. */
export const SECRET_IN_CALL =
  "The call was not made: its arguments held a token or a key of this gateway, which nothing records or runs. " +
  "It was left out of the call as you see it. Send the call again without it; what needs a key is done by a person.";
