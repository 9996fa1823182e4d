/** The last look at a request: with code mode on it names exactly two tools, whatever the adapter, or it does not leave. */
import { describe, expect, it } from "vitest";
import { failureFrom, cannedServer, modelsAt, READ, request, VENDORS } from "../../../test/kit/model-server.ts";
import { exactTools, toolNamesIn } from "./exact-tools.ts";

const two = ["exec", "wait"].map((name) => ({ ...READ, name }));

describe("a request that must name exactly some tools", () => {
  it.each(VENDORS.map(({ model }) => model))("[CM-01] 5, 6, 142: leaves to %s with exactly those", async (name) => {
    const server = await cannedServer({ status: 401, body: "{}" }, { status: 401, body: "{}" });
    const model = modelsAt({ baseUrl: server.url })(name);
    await failureFrom(model.stream(request("hello", { tools: two, toolsExactly: ["exec", "wait"] })));
    expect(server.sent).toHaveLength(1);
    expect(toolNamesIn(JSON.stringify(server.bodies()[0]))?.toSorted()).toEqual(["exec", "wait"]);
  });

  it.each(VENDORS.map(({ model }) => model))("[CM-01] 6: does not leave to %s with one more", async (name) => {
    const server = await cannedServer({ status: 401, body: "{}" });
    const model = modelsAt({ baseUrl: server.url })(name);
    const failure = await failureFrom(
      model.stream(request("hello", { tools: [...two, READ], toolsExactly: ["exec", "wait"] })),
    );
    expect(failure).toMatchObject({ retry: false, message: expect.stringContaining("did not name exactly the tools") });
    expect(server.sent).toEqual([]);
  });

  it.each([
    ["no body", undefined],
    ["a body that is no text", new Uint8Array()],
    ["no JSON", "{"],
    ["no tools", "{}"],
    ["one too few", JSON.stringify({ tools: [{ name: "exec" }] })],
    ["one twice", JSON.stringify({ tools: [{ name: "exec" }, { name: "wait" }, { name: "wait" }] })],
    [
      "a tool that the vendor runs",
      JSON.stringify({
        tools: [{ name: "exec" }, { name: "wait" }, { type: "web_search_20250305", name: "web_search" }],
      }),
    ],
    [
      "such a tool by one of the names",
      JSON.stringify({ tools: [{ name: "exec" }, { type: "code_execution_20250522", name: "wait" }] }),
    ],
    [
      "another vendor's search",
      JSON.stringify({ tools: [{ functionDeclarations: [{ name: "exec" }, { name: "wait" }] }, { googleSearch: {} }] }),
    ],
  ])("[CM-01] 6, 13: %s does not leave", async (_what, body) => {
    let isSent = false;
    const send = exactTools(
      async () => {
        isSent = true;
        return new Response();
      },
      ["exec", "wait"],
      "x/y",
    );
    await expect(send("http://localhost", { body } as RequestInit)).rejects.toThrow("did not name exactly");
    expect(isSent).toBe(false);
  });
});
