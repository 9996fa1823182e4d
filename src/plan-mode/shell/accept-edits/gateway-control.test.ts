import { describe, expect, it } from "vitest";
import type { EditPlace } from "./finding.ts";
import { inspectCommand } from "./inspect.ts";

const PLACE: EditPlace = { cwd: "/w", home: "/home/u", pids: [4242] };
const judged = (command: string, place: EditPlace = PLACE): string => {
  const found = inspectCommand(command, place);
  return found === undefined ? "passes" : `${found.class}: ${found.code}`;
};

describe("the gateway's own command", () => {
  it.each([
    ["holdpoint gateway stop", "holdpoint gateway status"],
    ["holdpoint gateway --force restart now", "holdpoint gateway start"],
    ["holdpoint daemon kill", "holdpoint daemon logs"],
    ["holdpoint service uninstall", "holdpoint service info"],
    ["holdpoint server reload", "holdpoint server ls"],
    ["holdpoint node drain", "holdpoint node list"],
    ["holdpoint stop", "holdpoint status"],
    ["holdpoint restart", "holdpoint status restart"],
    ["holdpoint shutdown", "holdpoint stop-words"],
    ["/usr/local/bin/holdpoint stop", "/usr/local/bin/holdpoint logs"],
    ["sudo -u x holdpoint gateway stop", "npx holdpoint status"],
  ])("[AE-02] stops it by %s, and not by %s", (stops, harmless) => {
    expect([judged(stops), judged(harmless)]).toEqual(["gateway-control: own-command", "passes"]);
  });

  it.each([
    ["holdpoint config set a b", "holdpoint config get a"],
    ["holdpoint config agents.x 5", "holdpoint config agents.x"],
    ["holdpoint --profile p config unset a", "holdpoint config show a b"],
    ["holdpoint plugins install x", "holdpoint plugins list"],
    ["holdpoint plugins own ship x", "holdpoint plugins info own"],
    ["holdpoint tokens x revoke", "holdpoint tokens x"],
    ["holdpoint mcp add x", "holdpoint mcp list add"],
    ["holdpoint update", "holdpoint update-check"],
    ["holdpoint uninstall", "holdpoint version"],
    ["holdpoint setup", "holdpoint status setup"],
    ["holdpoint run -- make clean", "holdpoint doctor"],
    ["holdpoint login", "holdpoint whoami"],
  ])("[AE-02] changes its settings by %s, and not by %s", (changes, harmless) => {
    expect([judged(changes), judged(harmless)]).toEqual(["config-change: own-settings", "passes"]);
  });

  it("[AE-02] repairs them only where it is told to", () => {
    const lines = ["doctor", "doctor --fix", "doctor --repair", "doctor --fixed", "doctor x--fix", "status --fix"];
    expect(lines.map((line) => judged(`holdpoint ${line}`))).toEqual([
      "passes",
      "config-change: own-doctor",
      "config-change: own-doctor",
      "passes",
      "passes",
      "passes",
    ]);
  });

  it("[AE-03] is held where nobody can know what it is told", () => {
    expect(judged("holdpoint $X")).toBe("gateway-control: unresolved");
    expect(judged("holdpoint logs --text=$X")).toBe("passes");
    expect(inspectCommand("holdpoint gateway stop now", PLACE)?.matched).toBe("holdpoint gateway stop now");
  });

  it("[AE-02] goes by the name that the gateway has", () => {
    const place = { ...PLACE, product: "a.b" };
    expect(["a.b stop", "pkill a.b", "pkill axb", "holdpoint stop"].map((line) => judged(line, place))).toEqual([
      "gateway-control: own-command",
      "gateway-control: process",
      "passes",
      "passes",
    ]);
  });
});

it.each([
  ["claude mcp add x", "claude mcp list"],
  ["claude --debug x mcp add y", "claude -p 'mcp add x'"],
  ["codex config set a b", "codex config get a"],
  ["gemini plugin install x", "gemini extensions add"],
  ["opencode hooks edit", "opencode run add"],
  ["claude settings set a b", "claude update"],
])("[AE-02] an agent's settings are changed by %s, and not by %s", (changes, harmless) => {
  expect([judged(changes), judged(harmless)]).toEqual(["config-change: agent-settings", "passes"]);
});

it.each([
  ["kill $(pgrep holdpoint)", "kill $(pgrep vite)"],
  ["kill `pidof holdpoint`", "kill `pidof vite`"],
  ["pgrep holdpoint | xargs kill", "pgrep vite | xargs kill"],
  ["echo holdpoint | xargs pkill", "echo vite | xargs pkill"],
  ["pkill -f holdpoint", "pkill -f holdpoints"],
  ["pkill HoldPoint", "pkill HoldPoints"],
  ["killall holdpoint-gateway", "killall xholdpoint"],
  ["pkill node", "pkill nodemon"],
  ["killall -9 node", "killall -9 nodes"],
  ["kill 4242", "kill 424"],
  ["kill $PPID", "kill $APPID"],
  ["kill $(cat ~/.holdpoint/gateway.pid)", "kill $(cat server.pid)"],
  ["kill -9 `cat /home/u/.holdpoint/gateway.pid`", "kill -9 `cat /run/nginx.pid`"],
  ["cat ~/.holdpoint/gateway.json | xargs kill", "cat tmp/pids/server.pid | xargs kill"],
  ["fuser -k 4242/tcp", "fuser -k 3000/tcp"],
  ["taskkill /IM holdpoint", "taskkill /IM node"],
  ["pwsh -c 'Stop-Process -Name holdpoint'", "pwsh -c 'Stop-Process -Name vite'"],
  ["python -c 'import os; os.kill(os.getppid(), 9)'", "python -c 'import os; os.kill(pid, 9)'"],
  ["node -e 'process.kill(process.ppid)'", "node -e 'console.log(process.ppid)'"],
  ["node -e 'process.kill(4242)'", "node -e 'process.kill(42421)'"],
  ["python -c 'os.killpg(4242, 9)'", "python -c 'skill(4242)'"],
])("[AE-02] its process is ended by %s, and not by %s", (ends, harmless) => {
  expect([judged(ends), judged(harmless)]).toEqual(["gateway-control: process", "passes"]);
});

it.each([
  ["reboot", "reboot --help"],
  ["shutdown -h now", "shutdown -c"],
  ["shutdown --shown", "shutdown --show"],
  ["halt", "echo halt"],
  ["poweroff", "poweroff --help"],
  ["kexec -e", "kexec --help"],
  ["init 0", "init 3"],
  ["telinit 6", "telinit q"],
  ["init 1", "init 10"],
  ["init S", "init x0"],
  ["systemctl reboot", "systemctl status reboot"],
  ["systemctl --force isolate rescue", "systemctl list-units"],
  ["pwsh -c restart-computer", "pwsh -c Get-ComputerInfo"],
  ["pwsh -c 'Stop-Computer -Force'", "pwsh -c 'echo Stop-Computer'"],
])("[AE-02] the machine under it is stopped by %s, and not by %s", (stops, harmless) => {
  expect([judged(stops), judged(harmless)]).toEqual(["gateway-control: machine", "passes"]);
});

it.each([
  ["systemctl restart holdpoint", "systemctl restart nginx"],
  ["systemctl --user stop holdpoint.service", "systemctl --user status holdpoint.service"],
  ["systemctl disable --now holdpoint", "systemctl --stop holdpoint"],
  ["service holdpoint restart", "service holdpoint status"],
  ["launchctl bootout gui/501/com.holdpoint", "launchctl list com.holdpoint"],
  ["brew services stop holdpoint", "brew services list holdpoint"],
  ["docker stop holdpoint", "docker logs holdpoint"],
  ["docker compose restart holdpoint", "docker compose ps holdpoint"],
  ["podman kill holdpoint", "podman inspect holdpoint"],
  ["pm2 restart holdpoint", "pm2 logs holdpoint"],
  ["supervisorctl stop holdpoint", "supervisorctl status holdpoint"],
  ["kubectl rollout restart deploy/holdpoint", "kubectl rollout status deploy/holdpoint"],
  ["kubectl scale deploy holdpoint --replicas=0", "kubectl get deploy holdpoint"],
  ["busctl call a b c StopUnit ss holdpoint.service replace", "busctl call a b c GetUnit s holdpoint.service"],
  ["dbus-send --dest=a b c.RestartUnit string:holdpoint.service", "dbus-send a b c.GetUnit string:holdpoint.service"],
  ["pwsh -c 'Restart-Service holdpoint'", "pwsh -c 'Get-Service holdpoint'"],
  ["pwsh -c 'stop-service holdpoint'", "pwsh -c 'Stop-Service nginx'"],
])("[AE-02] its service is stopped by %s, and not by %s", (stops, harmless) => {
  expect([judged(stops), judged(harmless)]).toEqual(["gateway-control: service", "passes"]);
});

describe("a process that nobody can know", () => {
  it.each([
    "xargs kill < gateway.pid",
    "xargs kill < /home/u/.holdpoint/gateway.pid",
    "xargs -a gateway.pid kill",
    "xargs --arg-file=gateway.pid kill -9",
    "kill $(cat gateway.pid)",
    "kill $(< gateway.pid)",
    "cut -d' ' -f1 gateway.pid | xargs -r kill -9",
    "tr -d x < gateway.pid | xargs kill",
    "read p < gateway.pid; kill $p",
    "read p < ~/.holdpoint/gateway.pid; kill $p",
    "mapfile -t p < gateway.pid; kill ${p[0]}",
    "while read p; do kill $p; done < gateway.pid",
    "{ xargs kill; } < gateway.pid",
    "find / -name gateway.pid -exec cat {} + | xargs kill",
    "parallel kill < gateway.pid",
    "kill $(find ~ -name '*.pid' -exec cat {} +)",
    "find / -name '*.pid' | xargs cat | xargs kill",
    'find "$HOME" -name "*.pid" | xargs cat | xargs kill',
    "find /home -name x.pid -exec sh -c 'kill $(cat {})' \\;",
    "find ~ -type f -exec sh -c 'kill $(cat {})' \\;",
    `python3 -c 'import os;os.kill(int(open("gateway.pid").read()),9)'`,
    `node -e 'process.kill(+require("fs").readFileSync("/srv/state/gateway.pid"))'`,
    "pkill -F gateway.pid",
    "start-stop-daemon --stop --pidfile run/gateway.pid",
    "ps aux | awk '{print $2}' | xargs kill",
    "ps -eo pid= | xargs kill",
    "kill $(ps ax | grep -v vite | cut -c1-5)",
    "ls /proc | xargs kill",
  ])("[AE-02] is held when it is, or may be, the gateway: %s", (line) => {
    expect(judged(line)).toBe("gateway-control: process");
  });

  it.each([
    "kill $(cat server.pid)",
    "xargs kill < .dev.pid",
    "kill $(cat run/api-gateway.pid)",
    "kill $(cat gateway.pid.old)",
    'echo "kill gateway.pid" >> notes.txt',
    "cat gateway.pid; kill %1",
    "while read p; do kill $p; done < pids.txt",
    "ps aux | grep vite | awk '{print $2}' | xargs kill",
    "ps -ef | sed -n '/vite/p' | awk '{print $2}' | xargs kill",
    "ps -p $! && kill $!",
    "kill $(jobs -p)",
    "find . -name '*.pid' | xargs cat | xargs kill",
    "find /var/run/app -name '*.pid' -exec cat {} + | xargs kill",
    "find ./run -name 'x.pid' -exec sh -c 'kill $(cat {})' \\;",
    `python3 -c 'import os;os.kill(int(open("server.pid").read()),9)'`,
    "xargs -a files.txt gzip",
  ])("[AE-06] passes where the line says whose it is: %s", (line) => {
    expect(judged(line)).toBe("passes");
  });
});
