/** The id of whoever follows from a place: `telegram:bot1:42`. No part of it can run into the next. */
import type { Place } from "../store/deliveries.ts";

export const placeId = ({ surface, account, conversation }: Place): string =>
  [surface, account, conversation].map(encodeURIComponent).join(":");
