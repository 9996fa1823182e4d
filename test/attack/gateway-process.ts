/**
 * The gateway that is attacked, in a process of its own: the real one, with the hostile model. Prints
 * `{"url","token",…}` when it is ready, `{"broke":…}` for whatever gave way, and `{"tried":…}` when it is told to stop.
 */
import { z } from "zod";
import { startGateway } from "../../src/gateway.ts";
import { closeInherited } from "../../src/runner/inherited-descriptors.ts";
import { seeded } from "../kit/random.ts";
import { hostileModel } from "./hostile-model.ts";

const Orders = z.object({ home: z.string(), workspace: z.string() });
const More = z.object({
  person: z.string(),
  outside: z.string(),
  sockets: z.array(z.string()),
  abstractName: z.string(),
  seed: z.int(),
  isEnclosed: z.boolean(),
});

const tell = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

const { home, workspace } = Orders.parse(JSON.parse(process.argv[2] ?? "{}"));
const { seed, isEnclosed, ...more } = More.parse(JSON.parse(process.env["ATTACK_ORDERS"] ?? "{}"));
const model = hostileModel({
  target: { state: home, workspace, gatewayPid: process.pid, node: process.execPath, ...more },
  isEnclosed,
  random: seeded(seed),
  broke: (what) => tell({ broke: what }),
});
closeInherited(); // as the program's entry does
const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model });
if ("alreadyRunning" in gateway) throw new Error("A gateway runs on this state already.");
tell({ url: gateway.url, token: gateway.operatorToken, rssBytes: 0 });
process.on("SIGTERM", () => {
  tell({ tried: model.tried });
  void gateway.stop().then(() => process.exit(0));
});
