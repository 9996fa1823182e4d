/** The machine that a worker's next cell finds ready: no cell has been in it, or it was made so again. */
import { type GuestVm, type Image, restoreVm } from "./guest-vm.ts";

export type SpareMachine = {
  take(): Promise<GuestVm>;
  /** Takes back one that had a cell. It is looked at when the cell's outcome is on its way. */
  giveBack(used: GuestVm): void;
};

export function spareMachine(wasm: WebAssembly.Module, image: Image): SpareMachine {
  let spare: Promise<GuestVm> | undefined = restored();
  async function restored(): Promise<GuestVm> {
    const vm = await restoreVm(wasm, image);
    vm.remember();
    return vm;
  }
  return {
    take() {
      const taken = spare ?? restored();
      spare = undefined;
      return taken;
    },
    giveBack(used) {
      setImmediate(() => {
        spare ??= used.renew() ? Promise.resolve(used) : restored();
      });
    },
  };
}
