/** Whether what a step declares touches what a risk rule names; in doubt it does (BY-05). */
import { describe, expect, it } from "vitest";
import { type Fits, isSameCommand, isSameHost, isSamePlace, isSameTool } from "./risk-fits.ts";

type Case = readonly [risk: string, declared: string, fits: boolean];
const told = (fits: Fits, cases: readonly Case[]) =>
  cases.map(([risk, declared]) => [risk, declared, fits(risk, declared)]);

describe("a risk fits what a step declares", () => {
  it("[BY-05] of places, where one lies in the other or some name fits both patterns", () => {
    const cases: Case[] = [
      ["infra", "infra/main.tf", true],
      ["infra/main.tf", "infra/", true],
      ["./infra/", "infra//x", true],
      ["infra", "infrastructure", false],
      ["infra/*.tf", "infra/main.tf", true],
      ["infra/main.tf", "infra/*.tf", true],
      ["infra/*.tf", "infra/m*", true],
      ["infra/m*", "infra/*.tf", true],
      ["infra/*.tf", "infra/*.md", false],
      ["infra/*.tf", "other/*.tf", false],
      ["infra/a?c", "infra/ab*", true],
      ["infra/a?c", "infra/?bc", true],
      ["infra/a?c", "infra/?b?d", false],
      ["infra/a*", "infra/b*", false],
      ["infra/*a", "infra/*b", false],
      ["infra/**", "infra/*x", true],
      ["infra/a*b", "infra/ab*", true],
      ["infra/a*b", "infra/*a", false],
      ["infra/?", "infra/*", true],
      ["infra/?", "infra/??", false],
      ["infra/*?", "infra/x*", true],
      ["x*", "*y", true],
      ["infra/*.tf", "infra/deep/*.tf", false],
      ["infra/*a", "infra/**b", false],
      ["infra/?*", "infra/**", true],
      ["infra/*", "infra/**", true],
      ["infra/a", "infra/b", false],
      ["infra/**a", "infra/*", true],
      ["infra/ab*", "infra/**cd", true],
    ];
    expect(told(isSamePlace, cases)).toEqual(cases);
  });

  it("[BY-05] of commands, where its words stand in the line or open words can make them", () => {
    const cases: Case[] = [
      ["git push", "git push", true],
      ["  git   push ", "cd x && git  push origin", true],
      ["git push", "(git push)", true],
      ["git push", "git push-notes", false],
      ["git push", "legit push", false],
      ["git push", "git pushy; git push", true],
      ["git push", "git_push", false],
      ["push", "git-push", false],
      ["push", "über-push push", true],
      ["git push", "git <words>", true],
      ["git push origin", "git push <words>", true],
      ["git push", "gi <words>", false],
      ["git push", "npm <words>", false],
      ["git", "git <words>", true],
      ["gitk", "git <words>", false],
    ];
    expect(told(isSameCommand, cases)).toEqual(cases);
  });

  it("[BY-05] of hosts, whatever their letters; without a port a name stands for every port", () => {
    const cases: Case[] = [
      ["api.example.com", "API.Example.com", true],
      ["api.example.com", "api.example.com:443", true],
      ["api.example.com:443", "api.example.com", true],
      ["api.example.com:443", "api.example.com:443", true],
      ["api.example.com:443", "api.example.com:80", false],
      ["*.example.com:443", "api.example.com:80", false],
      ["*.example.com", "api.example.com", true],
      ["api.example.com", "*.example.com", true],
      ["*.example.com", "example.com", false],
      ["example.com", "badexample.com", false],
      ["*.example.com", "badexample.com", false],
      ["*", "anything.test:99", true],
      ["x.test", "*", true],
      ["a.test", "b.test", false],
      ["API.test", "*.TEST", true],
    ];
    expect(told(isSameHost, cases)).toEqual(cases);
  });

  it("[BY-05] of tools, by name or by all tools of a server", () => {
    const cases: Case[] = [
      ["message", "message", true],
      ["message", "messages", false],
      ["github__*", "github__merge", true],
      ["github__merge", "github__*", true],
      ["github__*", "gitlab__merge", false],
      ["github__merge", "gitlab__*", false],
      ["git*", "github__merge", false],
      ["github__merge", "git*", false],
    ];
    expect(told(isSameTool, cases)).toEqual(cases);
  });
});
