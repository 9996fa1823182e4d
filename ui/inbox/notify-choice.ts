/** What a person chose about being told: in this browser, and only after they asked for it. */
import { cell, type Readable } from "../state/cell.ts";

export type NotifyChoice = { shows: boolean; sounds: boolean };
/** `unsupported`: this browser, or this address, has no notifications. */
export type Permission = NotificationPermission | "unsupported";

const SHOWS = "holdpoint.notify";
const SOUNDS = "holdpoint.sound";

const chosen = cell<NotifyChoice>({
  shows: localStorage.getItem(SHOWS) === "on",
  sounds: localStorage.getItem(SOUNDS) === "on",
});

export const notifyChoice: Readable<NotifyChoice> = chosen;

export const permission = (): Permission => ("Notification" in globalThis ? Notification.permission : "unsupported");

/** Only ever called from a click: the browser asks the person, once. */
export async function chooseShown(shows: boolean): Promise<void> {
  if (shows && permission() === "default") await Notification.requestPermission();
  keep(SHOWS, shows);
  chosen.change((choice) => ({ ...choice, shows }));
}

export function chooseSound(sounds: boolean): void {
  keep(SOUNDS, sounds);
  chosen.change((choice) => ({ ...choice, sounds }));
}

const keep = (name: string, on: boolean): void => localStorage.setItem(name, on ? "on" : "off");
