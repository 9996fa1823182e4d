/**
 * Groups of commits from two gateways on one PostgreSQL while the server crashes, lines are reset or swallow everything:
 * `npm run test:long -- faults`. Both write to the same sessions, so each version has two that want it.
 */
import { expect, it } from "vitest";
import { create, sid } from "../../src/store/contract/harness.ts";
import { isLong, repetitions, SEED } from "../kit/repetitions.ts";
import { inject, openWorld, readAgain, send, settled } from "./group-faults.ts";

const SESSIONS = 60;
const ROUNDS_MIN = 12;

it.skipIf(!isLong)(
  "[SC-04, I13, I20] a group is there as a whole or not at all, whatever happens to server and lines while it is written",
  async () => {
    const world = await openWorld();
    const [{ store }] = world.nodes;
    await Promise.all(Array.from({ length: SESSIONS }, (_, n) => store.commit(create(sid(n)))));
    const versions = new Map(Array.from({ length: SESSIONS }, (_, n) => [n, 1]));
    let rows = 0;
    let unknown = 0;
    for (const round of repetitions(ROUNDS_MIN)) {
      const [sent, fault] = await Promise.all([send(world, versions, round), inject(world, round)]);
      const where = `seed ${SEED}, round ${round}, ${fault}`;
      const answers = await Promise.all(sent.map((one) => settled(store, one)));
      unknown += sent.filter(({ result }) => result.status === "failed" && result.failure.outcome === "unknown").length;
      for (const session of versions.keys()) {
        const [one, other] = answers.slice(session * 2, session * 2 + 2);
        const won = [one, other].filter((answer) => answer?.status === "committed" || answer?.status === "replayed");
        expect({ where, session, winners: won.length }).toEqual({ where, session, winners: 1 });
        versions.set(session, (versions.get(session) ?? 0) + 1);
        rows += 1;
      }
      const stored = await Promise.all(
        [...versions.keys()].map((session) => readAgain(() => store.session(sid(session)))),
      );
      expect({ where, versions: stored.map((one) => one?.version) }).toEqual({
        where,
        versions: [...versions.values()],
      });
    }
    expect(await readAgain(() => store.verifyAudit())).toMatchObject({ intact: true, rows });
    expect(unknown).toBeGreaterThan(0); // otherwise no fault ever met a group
    process.stdout.write(`groups under faults, seed ${SEED}: ${rows} commits written, ${unknown} of unknown outcome\n`);
  },
);
