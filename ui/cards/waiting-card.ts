/** Cards that wait for a person, and whether this one could decide them now. */
import { isAllowed } from "../../src/protocol/card/availability.ts";
import {
  type ApprovalCard,
  type Card,
  type CardAction,
  type GrantCard,
  isWaiting,
  type QuestionCard,
} from "../../src/protocol/card/card.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import { type Connection, isOnline, mayDecide, type Operator, operatorOf } from "../state/connection.ts";

export type AskingCard = QuestionCard | GrantCard;
export type WaitingCard = ApprovalCard | AskingCard;

export const cardsOf = ({ cards }: Pick<SessionView, "cards">): readonly Card[] => cards ?? [];

export const isWaitingCard = (card: Card | undefined): card is WaitingCard => card !== undefined && isWaiting(card);

/** The composer makes room only for a card that can act. */
export const canAct = (card: Card | undefined, connection: Connection): card is WaitingCard =>
  isWaitingCard(card) && isOnline(connection) && mayDecide(operatorOf(connection));

/** Whether the time is up is for the gateway's clock to say: this one may be wrong. */
const ANY_TIME = 0;

export const beholdingOf = (person: Operator) => ({ person, nowMs: ANY_TIME });

export const canTake = (card: Card, action: CardAction, operator: Operator | undefined): boolean =>
  operator !== undefined && isAllowed(card, action, beholdingOf(operator));
