/** A person's own program with the tools of a session: what it does is recorded as theirs. */
import { expect, it } from "vitest";
import { startTestGateway } from "../../src/testing/index.ts";

const isYes = /^(?:approve|allow|amend|answer|option)/;

it("[BY-05, CM-04] what a person's program submits or asks for is theirs, in the plan, in the audit and to the signature", async () => {
  await using gateway = await startTestGateway({
    settings: {
      approvals: { notAuthor: true },
      tools: { codeMode: true },
      agents: { defaults: { planMode: { enabled: true, defaultActive: true, unlock: "scoped" } } },
    },
  });
  const session = await gateway.session();
  const eve = await gateway.person({
    name: "eve",
    scopes: ["operator.read", "operator.write", "operator.approvals"],
  });
  const eves = await eve.session(session.id);
  const ran = (code: string) => eve.client.call("code.run", { sessionId: session.id, language: "javascript", code });
  const step = { step: "write a.txt", status: "pending", scope: { paths: ["a.txt"] } };
  await ran(`return await tools.exit_plan_mode(${JSON.stringify({ title: "Eve's", plan: [step] })})`);

  const { plans } = await gateway.client.call("plans.list", { sessionId: session.id });
  expect(plans[0]?.author).toMatchObject({ kind: "operator", name: "eve" });
  const { rows } = await gateway.client.call("audit.list", {});
  const submitted = rows.find((row) => JSON.stringify(row).includes("plan.submitted"));
  expect(submitted?.actor).toBe(plans[0]?.author?.id);

  const offered = async (): Promise<string[]> => {
    const { cards = [] } = await session.view();
    return cards.flatMap(({ actions }) =>
      actions.flatMap(({ id, command }) => (isYes.test(id) && command !== undefined ? [command] : [])),
    );
  };
  for (const command of await offered())
    await expect(eves.run(command)).rejects.toMatchObject({ code: "AUTHOR_NOT_APPROVER" });
  await session.run((await offered())[0] ?? "");
  await session.atRest();

  await ran(`return await tools.amend_plan({ scope: { paths: ["b.txt"] }, reason: "more" })`);
  await session.until("question.asked");
  const yes = await offered();
  expect(yes.length).toBeGreaterThan(0);
  for (const command of yes) await expect(eves.run(command)).rejects.toMatchObject({ code: "AUTHOR_NOT_APPROVER" });
  await session.run(yes[0] ?? "");
});
