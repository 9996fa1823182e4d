/** How a fake vendor sends requests to our webhook: one after the other, again what was not answered with 2xx. */
import type { Account } from "../../../src/channels/bridge/account.ts";
import type { WebhookRequest } from "../../../src/channels/port.ts";

type Sending = { make(): WebhookRequest; isAcknowledged: boolean };

export type HookSender = {
  attach(webhook: Account["webhook"]): void;
  send(make: () => WebhookRequest): void;
  sendAgain(count: number): void;
  acknowledged(): number;
};

export function createHookSender(): HookSender {
  const all: Sending[] = [];
  let webhook: Account["webhook"] | undefined;
  let sending: Promise<void> = Promise.resolve();

  const post = (one: Sending): void => {
    const before = sending;
    sending = (async () => {
      await before;
      try {
        const { status } = (await webhook?.(one.make())) ?? { status: 404 };
        if (status >= 200 && status < 300) one.isAcknowledged = true;
      } catch {
        one.isAcknowledged = false; // as a server that answers with 500
      }
    })();
  };
  return {
    attach: (given) => void (webhook = given),
    send(make) {
      const one = { make, isAcknowledged: false };
      all.push(one);
      post(one);
    },
    sendAgain(count) {
      for (const one of all.filter(({ isAcknowledged }) => !isAcknowledged)) post(one);
      for (const one of count === 0 ? [] : all.slice(-count)) post(one);
    },
    acknowledged: () => all.filter(({ isAcknowledged }) => isAcknowledged).length,
  };
}
