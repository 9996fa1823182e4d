import { expect, it } from "vitest";
import { hrefOf, placeAt, ROUTES, type RouteName } from "./routes.ts";

const at = (path: string) => placeAt(new URL(path, "http://gateway.test"));

it("[UI-01] every view has an address that leads to it", () => {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const href = hrefOf(name, { sessionId: "ses_1", planId: "pln_1" });
    expect(at(href)?.name).toBe(name);
  }
});

it("[UI-01] reads the words of an address", () => {
  expect(at("/sessions/ses_1/plan?revision=2")).toEqual({
    name: "plan",
    params: { sessionId: "ses_1" },
    search: new URLSearchParams("revision=2"),
  });
  expect(at("/inbox/")?.name).toBe("inbox");
});

it.each(["/nowhere", "/sessions", "/sessions/a/b/c", "/inbox/%E0%A4%A"])("[UI-01] %s leads nowhere", (path) => {
  expect(at(path)).toBeUndefined();
});
