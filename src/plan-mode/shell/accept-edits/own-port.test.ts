import { describe, expect, it } from "vitest";
import { judgeAcceptEdits } from "../shell-gate.ts";

const PLACE = { cwd: "/w", home: "/home/u", ports: [4747], scripts: ["/srv/app/main.ts"] };

const judged = (command: string): string => {
  const verdict = judgeAcceptEdits({ tool: "exec", command }, PLACE);
  return verdict.allowed ? "passes" : `${verdict.class}: ${verdict.code}`;
};

describe("the gateway by its port", () => {
  it.each([
    "fuser -k 4747/tcp",
    "fuser -k -n tcp 4747",
    'fuser -k "$PORT/tcp"',
    "kill $(lsof -ti:4747)",
    "kill -9 $(lsof -t -i tcp:4747)",
    "kill $(lsof -ti:4000-5000)",
    "lsof -ti :4747 | xargs kill -9",
    'lsof -ti:"$PORT" | xargs -r kill',
    "lsof -ti:4747 | while read -r p; do kill $p; done",
    "for p in $(lsof -ti:4747); do kill $p; done",
    "pid=$(lsof -ti:4747); kill $pid",
    "p=4747; kill $(lsof -ti:$p)",
    "kill $(lsof -t -i)",
    "npx kill-port 4747",
    'npx --yes kill-port "$PORT"',
    "pnpm dlx kill-port 4747",
    "npx fkill :4747",
    "kill $(ss -lptn 'sport = :4747' | grep -oP 'pid=\\K[0-9]+')",
    "ss -ltnp | awk '/4747/{print $0}' | grep -oP 'pid=\\K\\d+' | xargs kill",
  ])("[AE-02] is not ended, and no port that is computed: %s", (command) => {
    expect(judged(command)).toBe("gateway-control: port");
  });

  it.each([
    "fuser 4747/tcp",
    "lsof -ti:4747",
    "fuser -k 3000/tcp",
    "kill $(lsof -ti:3000)",
    "lsof -ti:5173 | xargs kill",
    "p=3000; kill $(lsof -ti:$p)",
    "npx kill-port 3000",
    "kill $(ss -ltnp | grep :3000 | awk '{print $NF}')",
    "kill $(cat server.pid)",
    "kill %1",
    "curl -s localhost:4747/health",
    "curl -X POST localhost:3000/api -d x",
  ])("[AE-06] others are: %s", (command) => {
    expect(judged(command)).toBe("passes");
  });

  it.each([
    "curl -X POST http://127.0.0.1:4747/rpc -d '{}'",
    "curl --json '{}' localhost:4747/rpc",
    "http POST localhost:4747/rpc a=b",
    "websocat ws://[::1]:4747/ws",
    "nc localhost 4747",
  ])("[AE-02] is sent no orders past its own tools: %s", (command) => {
    expect(judged(command)).toBe("gateway-control: own-port");
  });

  it.each(["pm2 delete all", "pm2 kill", "supervisorctl stop all", "pkill -f 'node.*main.ts'"])(
    "[AE-02] is not ended with all others: %s",
    (command) => {
      expect(judged(command)).toMatch(/^gateway-control: /);
    },
  );

  it.each([
    "tee .mcp.json < x",
    "cp x .cursor/mcp.json",
    "jq . x > .codex/config.toml",
    "printf '%%d\\nw\\nq\\n' | ed -s a.ts",
    "perl -i -ne 'print if 0' a.ts",
  ])("[AE-02, AE-03] nor do these pass: %s", (command) => {
    expect(judged(command)).not.toBe("passes");
  });
});
