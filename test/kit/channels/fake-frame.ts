/** What vendors' fakes on an HTTP server do alike: troubles, messages that people take away, events sent again. */
import type { FakeVendor } from "../../../src/channels/contract/fake-vendor.ts";
import type { FakeHttp, Troubles } from "./fake-http.ts";

type Framed<Message> = {
  http: FakeHttp;
  troubles: Troubles;
  toasts?: string[];
  /** What stands in conversations, and how a message is called there; absent where nobody can take one away. */
  messages?: { all: Message[]; idOf(message: Message): string };
};

type Frame = "limit" | "cut" | "refuseFiles" | "remove" | "toasts" | "connections" | "close";

/** A vendor that does one of these in its own way says so after it. */
export function fakeFrame<Message>({
  http,
  troubles: { limit, cut, refuseFiles },
  toasts = [],
  messages,
}: Framed<Message>): Pick<FakeVendor, Frame> {
  return {
    limit,
    cut,
    refuseFiles,
    toasts: () => toasts,
    remove(_conversation, id) {
      const at = messages?.all.findIndex((one) => messages.idOf(one) === id) ?? -1;
      if (at >= 0) messages?.all.splice(at, 1);
    },
    connections: () => http.sockets.size,
    close: () => http.close(),
  };
}

/** Events that the vendor sends again until they are acknowledged, and the last ones even after that. */
export const sentUntilAcknowledged = <Event extends { isAcknowledged: boolean }>(
  sent: readonly Event[],
  push: (event: Event) => void,
): Pick<FakeVendor, "sendAgain" | "acknowledged"> => ({
  sendAgain(count) {
    const from = sent.length - count;
    for (const [at, one] of sent.entries()) if (!one.isAcknowledged || at >= from) push(one);
  },
  acknowledged: () => sent.filter(({ isAcknowledged }) => isAcknowledged).length,
});
