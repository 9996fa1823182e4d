/** `api.processes`: started for trusted plugins alone, by code that is loaded when the first one is. */
import type { GuestProcesses } from "../api/guest-process.ts";
import type { Rights } from "./rights.ts";

export const processesOf = (rights: Rights): GuestProcesses => ({
  async launch(program) {
    rights.trusted("processes");
    rights.changing();
    const { launchProgram } = await import("../isolated/launch-program.ts");
    return launchProgram(program);
  },
});
