/** A service of the same person that answers everybody on its sockets with a secret, and prints a line for each caller. */
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const [folder = "", abstractName = "", secret = ""] = process.argv.slice(2);
const names = [
  join(folder, "service.sock"),
  "relative.sock",
  join(folder, "only-sockets", "one.sock"),
  `\0${abstractName}`,
];
mkdirSync(join(folder, "only-sockets"), { recursive: true });
process.chdir(folder);
for (const name of names) {
  const server = createServer((caller) => {
    process.stdout.write(`asked on ${name.replace("\0", "@")}\n`);
    caller.on("error", () => undefined).end(`${secret}\n`);
  });
  await new Promise((listening) => server.listen(name, () => listening(undefined)));
}
process.stdout.write("ready\n");
