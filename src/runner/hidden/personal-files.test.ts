import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { credentialFiles, homesIn, programFiles } from "./personal-files.ts";

const home = "/home/ann";

it("[GA-13] knows credentials where the environment says that they are, besides where they usually are", () => {
  const env = {
    AWS_SHARED_CREDENTIALS_FILE: "/secrets/aws",
    CARGO_HOME: "/opt/cargo",
    DOCKER_CONFIG: "/secrets/docker",
    GNUPGHOME: "relative/is/nowhere",
    KUBECONFIG: "/secrets/a.yaml:/secrets/b.yaml",
    XDG_CONFIG_HOME: "/conf",
    HISTFILE: "/",
  };
  const found = credentialFiles({ home, env });
  const expected = ["/home/ann/.ssh", join(userInfo().homedir, ".ssh"), "/secrets/aws", "/opt/cargo/credentials.toml"];
  const moved = ["/secrets/docker", "/secrets/a.yaml", "/secrets/b.yaml", "/conf/gh", "/conf/gcloud", "/conf/sops"];
  expect(found).toContain("/home/ann/.local/share/fish/fish_history"); // tokens are typed into every shell
  expect(found).toEqual(expect.arrayContaining([...expected, ...moved]));
  expect(found.filter((path) => path === "/" || !path.startsWith("/"))).toEqual([]);
});

it("[GA-13] knows other agents, browsers and services where the environment says that they are", () => {
  const agents = { CODEX_HOME: "/agents/codex", COPILOT_HOME: "/agents/copilot", GEMINI_CLI_HOME: "/agents/g" };
  const env = { ...agents, XDG_DATA_HOME: "/data", XDG_RUNTIME_DIR: "/somewhere/run" };
  const moved = ["/agents/codex", "/agents/copilot", "/agents/g/.gemini"];
  const expected = ["/home/ann/.mozilla", ...moved, "/data/keyrings", "/somewhere/run"];
  expect(programFiles({ home, env })).toEqual(expect.arrayContaining(expected));
});

it("[GA-13] for root, people have homes and services have none", () => {
  const table =
    "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1::/usr/sbin:\nann:x:1000:1000::/home/ann:/bin/sh\nx:x:1001:1::/:\n";
  expect(homesIn(`${table}nobody:x:65534:65534::/nonexistent:\n`)).toEqual(["/root", "/home/ann"]);
});

it("[GA-13] hides profiles of browsers whose folders have spaces in their names, as on macOS", () => {
  const found = programFiles({ home: "/Users/me", env: {} });
  for (const name of ["Google", "Firefox", "Microsoft Edge", "com.apple.TCC"])
    expect(found).toContain(`/Users/me/Library/Application Support/${name}`);
  expect(found).not.toContain("/Users/me/Library/Application");
});
