/** A service of the same person that answers everybody on its sockets with a secret, and prints a line for each caller. */
import { linkSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const [folder = "", abstractName = "", secret = ""] = process.argv.slice(2);
const names = [
  join(folder, "service.sock"),
  "relative.sock",
  join(folder, "only-sockets", "one.sock"),
  join(folder, "renamed.tmp"),
  join(folder, "line\nbreak", "s"),
  `\0${abstractName}`,
];
for (const name of ["only-sockets", "second", "line\nbreak"]) mkdirSync(join(folder, name), { recursive: true });
for (const name of ["second", "line\nbreak"]) writeFileSync(join(folder, name, "a-file"), "x");
process.chdir(folder);
for (const name of names) {
  const server = createServer((caller) => {
    process.stdout.write(`asked on ${name.replace("\0", "@").replace("\n", " ")}\n`);
    caller.on("error", () => undefined).end(`${secret}\n`);
  });
  await new Promise((listening) => server.listen(name, () => listening(undefined)));
}
renameSync(join(folder, "renamed.tmp"), join(folder, "renamed.sock"));
linkSync(join(folder, "service.sock"), join(folder, "second", "two.sock"));
process.stdout.write("ready\n");
