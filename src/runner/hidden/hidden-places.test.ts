import { expect, it } from "vitest";
import { devicesAmong } from "./hidden-places.ts";

it("[GW-04] hides the devices by which a program reads what a person types, or types in their place", () => {
  const hidden = [
    "input",
    "uinput",
    "uhid",
    "hidraw0",
    "usbmon12",
    "vcs",
    "vcs1",
    "vcsa1",
    "vcsu",
    "mem",
    "kmem",
    "port",
  ];
  const shown = ["null", "tty", "pts", "ptmx", "shm", "fuse", "kvm", "net", "dri", "ttyUSB0", "random", "input2"];
  expect(devicesAmong([...shown, ...hidden])).toEqual(hidden.map((name) => `/dev/${name}`));
});
