import { expect, it } from "vitest";
import { otherNames } from "./other-mounts.ts";

const table = [
  "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
  "23 22 0:5 / /proc rw - proc proc rw",
  "30 22 8:2 / /home rw - ext4 /dev/sda2 rw",
  "31 22 8:2 / /mnt/old\\040disk rw - ext4 /dev/sda2 rw",
  "32 22 8:2 /ann/work /srv/work rw - ext4 /dev/sda2 rw",
  "33 22 8:1 /var/lib /data rw - ext4 /dev/sda1 rw",
].join("\n");

it("[GA-13] finds a hidden folder under every name that it is mounted by", () => {
  expect(otherNames(["/home/ann/.holdpoint"], table)).toEqual(["/mnt/old disk/ann/.holdpoint"]);
  expect(otherNames(["/home/ann/work/.state"], table)).toEqual(["/mnt/old disk/ann/work/.state", "/srv/work/.state"]);
  expect(otherNames(["/srv/work/.state"], table)).toEqual(["/home/ann/work/.state", "/mnt/old disk/ann/work/.state"]);
  expect(otherNames(["/var/lib/holdpoint", "/var/library"], table)).toEqual(["/data/holdpoint"]);
  expect(otherNames(["/home"], table)).toEqual(["/mnt/old disk"]);
  expect(otherNames(["/proc/1", "/etc"], table)).toEqual([]);
  expect(otherNames(["/etc"], "")).toEqual([]);
});
