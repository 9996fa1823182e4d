/** The address of what waits: its session, with the card named. */
import type { WaitingSession } from "../state/waiting-list.ts";

export const cardHref = ({ id, waiting }: WaitingSession): string => `/sessions/${id}?card=${waiting.id}`;
