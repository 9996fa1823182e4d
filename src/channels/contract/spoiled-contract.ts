/** What every channel that speaks HTTP does when its vendor answers nonsense: it waits, says so plainly, and neither loses nor doubles. */
import { expect, it, onTestFinished } from "vitest";
import { type SpoiledAnswer, SPOILED, spoil } from "../../../test/kit/channels/spoiled-answers.ts";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import type { DeliveryResult } from "../../plugins/sdk.ts";
import { checkAccount } from "../check-account.ts";
import type { ChannelAbout } from "../port.ts";
import { running, type VendorWorld } from "./fake-vendor.ts";
import { textItem } from "./sample-items.ts";

/** These have protocols of their own. */
const WITHOUT_HTTP: ReadonlySet<string> = new Set(["irc", "xmpp", "email"]);
/** A 2xx says that it was taken, whatever stands in it. */
const BY_STATUS: ReadonlySet<string> = new Set(["webhook"]);
/** Its library does not say the status of an answer that it cannot read. */
const IN_DOUBT_WHEN_LIMITED: ReadonlySet<string> = new Set(["telegram"]);
/** No vendor is waited for longer than this. */
const WAIT_MS_MAX = 3_600_000;
const QUIET_MS = 30_000;
/** For a person: a sentence, and nothing of how it came about. */
const SENTENCE = /^[A-Za-z][^{}[\]<>\n]{5,200}$/;

export function spoiledContract(about: ChannelAbout, world: () => Promise<VendorWorld>): void {
  const { kind } = about;
  const isAccepted = ({ status, breaks }: SpoiledAnswer): boolean =>
    BY_STATUS.has(kind) && status === 200 && breaks !== true;
  const answers = Object.entries<SpoiledAnswer>(SPOILED);

  it.runIf(!WITHOUT_HTTP.has(kind))(
    "[CH-11] 23: what the vendor answers wrongly is tried again, in doubt where it may have been taken; nothing is lost or doubled",
    async () => {
      const given = await world();
      const { vendor, deliver, events, answers: gateway, clock, times } = await running(given);
      gateway(() => ({ kind: "recorded" }));
      onTestFinished(() => spoil(given.settings, undefined));
      const here = vendor.conversation({ person: "501" });
      const sent: string[] = [];
      for (const [name, answer] of answers) {
        clock.advance(QUIET_MS); // our own limit of sends is not what is tried here
        spoil(given.settings, answer);
        const first = await deliver(here, [textItem(name, `text ${name}`)]);
        spoil(given.settings, undefined);
        if (isAccepted(answer)) continue;
        expect([name, first.receipts, outcomeOf(first)]).toEqual([name, [], expectedFor(answer, { kind, first })]);
        clock.advance(first.stopped?.retryAfterMs ?? 1_000);
        const again = await deliver(here, [textItem(name, `text ${name}`, first.stopped?.maybeSent === true)]);
        expect([name, again.receipts.map(({ state }) => state)]).toEqual([name, ["sent"]]);
        sent.push(name);
      }
      const shown = vendor.messages(here).map(({ text }) => text);
      expect(shown.map((text) => /text (\w+)/.exec(text)?.[1])).toEqual(sent);
      if (about.capabilities.inbound[0] === "webhook") return; // its requests are signed for a time that is over by now
      vendor.write("still there?", { person: "501" });
      await expect.poll(() => events.length).toBe(1);
      expect(times.size).toBe(1);
    },
  );

  it.runIf(!WITHOUT_HTTP.has(kind))(
    "[CH-08] 23: a check of the account says in a sentence that the vendor answered wrongly, and shows no secret",
    async () => {
      const { settings, vendor } = await world();
      onTestFinished(async () => {
        spoil(settings, undefined);
        await vendor.close();
      });
      const house = {
        filled: async () => settings,
        webhookUrl: (of: string, name: string) => `https://gateway.example/hooks/${of}/${name}`,
        clock: fakeClock(Date.UTC(2026, 0, 5, 9)),
      };
      for (const [name, answer] of answers) {
        spoil(settings, answer);
        const { ok, problem, fix } = await checkAccount({ name: "main", settings, house });
        if (isAccepted(answer)) continue;
        expect([name, ok, problem, fix]).toEqual([
          name,
          false,
          expect.stringMatching(SENTENCE),
          expect.stringMatching(/\w{3}/),
        ]);
      }
      spoil(settings, undefined);
      expect(await checkAccount({ name: "main", settings, house })).toMatchObject({ ok: true });
    },
  );

  it.runIf(!WITHOUT_HTTP.has(kind))(
    "[CH-11] 23: an account that is started while the vendor answers wrongly runs when it answers again",
    async () => {
      const given = await world();
      const { vendor, restart, status, events, answers: gateway, clock } = await running(given);
      gateway(() => ({ kind: "recorded" }));
      onTestFinished(() => spoil(given.settings, undefined));
      spoil(given.settings, SPOILED.page);
      await restart();
      expect(status().problem ?? "None at all.").toMatch(SENTENCE);
      spoil(given.settings, undefined);
      await expect
        .poll(() => {
          clock.advance(1_000);
          return status().state;
        })
        .toBe("running");
      vendor.write("hello", { person: "501" });
      await expect.poll(() => events.length).toBe(1);
    },
  );
}

type Ended = { maybeSent: boolean; retryAfterMs: number | undefined; why: unknown };

const outcomeOf = ({ stopped }: DeliveryResult): Ended => ({
  maybeSent: stopped?.maybeSent ?? false,
  retryAfterMs: stopped?.retryAfterMs,
  why: stopped?.why,
});

/** A limit is an answer: nothing was taken. What cannot be read, or did not come to its end, may have been. */
function expectedFor(answer: SpoiledAnswer, { kind, first }: { kind: string; first: DeliveryResult }): object {
  const why = expect.stringMatching(SENTENCE);
  if (answer.status !== 429) return { maybeSent: true, retryAfterMs: undefined, why };
  if (IN_DOUBT_WHEN_LIMITED.has(kind)) return { maybeSent: true, retryAfterMs: undefined, why };
  const given = Number(answer.headers?.["retry-after"] ?? Number.NaN);
  const isGiven = Number.isFinite(given);
  return {
    maybeSent: false,
    retryAfterMs: isGiven ? Math.min(given * 1_000, WAIT_MS_MAX) : waited(first),
    why,
  };
}

/** None, so that delivery waits longer each time; or one of the channel's own. */
function waited({ stopped }: DeliveryResult): number | undefined {
  const ms = stopped?.retryAfterMs;
  return ms === undefined || (ms > 0 && ms <= WAIT_MS_MAX) ? ms : undefined;
}
