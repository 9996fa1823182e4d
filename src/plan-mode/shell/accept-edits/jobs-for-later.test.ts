import { expect, it } from "vitest";
import { inspectCommand } from "./inspect.ts";

const verdict = (command: string): string => inspectCommand(command, { cwd: "/w", home: "/home/u" })?.class ?? "passes";

it.each([
  ["crontab jobs.txt", "echo '@daily rm -r a' | crontab -"],
  ["at now < job.sh", "at now <<< 'rm -r a'"],
  ["at -f job.sh noon", "echo 'rm -r a' > job.sh; at -f job.sh noon"],
  ["batch < job.sh", "batch <<< 'git reset --hard'"],
  ["systemd-run --user --on-active=5m ./job.sh", "systemd-run --user --on-active=5m rm -r a"],
  ["systemctl --user enable --now job.timer", "systemctl --user enable --now job.timer; rm -r a"],
  ["launchctl load /home/u/Library/LaunchAgents/job.plist", "launchctl load job.plist && rm -r a"],
])(
  "[AE-02, AE-03] a job for later is judged as a script is that runs at once: %s passes, %s does not",
  (one, other) => {
    expect([verdict(one), verdict("bash job.sh"), verdict(other)]).toEqual(["passes", "passes", "destructive"]);
  },
);
