import { expect, it } from "vitest";
import { hostNamed, hostsOfModel, isAllowed, isOfThisMachine } from "./allowed-hosts.ts";

it("[IG-03] a host is a name, a name with a port, an address or where an address leads; anything else is none", () => {
  expect(hostNamed("Packages.example.org")).toEqual({ name: "packages.example.org" });
  expect(hostNamed("https://api.example.org/v1")).toEqual({ name: "api.example.org", port: 443 });
  expect(hostNamed("http://127.0.0.1:11434")).toEqual({ name: "127.0.0.1", port: 11_434 });
  expect(hostNamed("[::1]:80")).toEqual({ name: "::1", port: 80 });
  for (const text of ["", "*", "a b", "a/b", "-x", "user@host", "a..b"]) expect(hostNamed(text)).toBeUndefined();
});

it("[IG-03] what is allowed is compared whole: neither endings nor beginnings of a name count", () => {
  const allowed = [{ name: "api.example.org" }, { name: ".example.net" }, { name: "127.0.0.1", port: 80 }];
  const tried = [
    "api.example.org",
    "x.api.example.org",
    "api.example.org.evil.com",
    "a.example.net",
    "example.net",
    "evilexample.net",
  ];
  expect(tried.filter((host) => isAllowed(host, 443, allowed))).toEqual(["api.example.org", "a.example.net"]);
  expect([isAllowed("127.0.0.1", 80, allowed), isAllowed("127.0.0.1", 4_747, allowed)]).toEqual([true, false]);
});

it("[IG-03] the model's hosts are those of the agent, and where variables say that it is", () => {
  const hosts = hostsOfModel(["api.anthropic.com"], {
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_BASE_URL: "",
  });
  expect(hosts).toEqual([{ name: "api.anthropic.com" }, { name: "127.0.0.1", port: 9 }]);
  expect(hosts.map(isOfThisMachine)).toEqual([false, true]);
});
