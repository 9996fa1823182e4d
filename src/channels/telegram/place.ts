/** `-100123` or `-100123:topic:7`: a chat of Telegram, and the topic in it. */
const PLACE = /^(-?\d{1,20})(?::topic:(\d{1,15}))?$/;

export type TelegramPlace = { chatId: string; topic: number | undefined };

export const placeName = ({ chatId, topic }: TelegramPlace): string =>
  topic === undefined ? chatId : `${chatId}:topic:${topic}`;

export function placeOf(conversation: string): TelegramPlace | undefined {
  const [, chatId, topic] = PLACE.exec(conversation) ?? [];
  return chatId === undefined ? undefined : { chatId, topic: topic === undefined ? undefined : Number(topic) };
}
