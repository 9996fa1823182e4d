import { expect, it } from "vitest";
import { planHosts } from "./plan-hosts.ts";

it("[IG-03] a plan names hosts by addresses and by a line of its own, and no file is taken for one", () => {
  const steps = [
    { step: "Read README.md and src/index.ts, then install from https://packages.example.org/left-pad" },
    {
      step: "Hosts: files.example.org, Example.com; mail a@b.org",
      acceptanceCriteria: ["http://localhost:80 answers"],
    },
  ].map((step) => ({ status: "pending" as const, ...step }));
  expect(planHosts({ title: "Install example.rs", steps })).toEqual([
    "packages.example.org",
    "localhost",
    "files.example.org",
    "example.com",
  ]);
});
