/** Which addresses are public. Every other address is private, local, reserved, or a detour to one of these. */
import { BlockList, isIPv4, isIPv6 } from "node:net";

const INSIDE_V4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8], // "this network"; Linux takes it for itself
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier NAT, and the metadata service of one cloud
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // the host's own agent in one cloud, under a public number
  ["169.254.0.0", 16], // link-local, and the metadata service of most clouds
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24], // relays of 6to4
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
] as const) {
  INSIDE_V4.addSubnet(network, bits, "ipv4");
}

/** IPv6 the other way round: only global unicast is public, without the parts of it that stand for something else. */
const GLOBAL_V6 = new BlockList();
GLOBAL_V6.addSubnet("2000::", 3, "ipv6");
const INSIDE_V6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23], // protocol assignments: Teredo carries an IPv4 address, ORCHID none at all
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4 carries an IPv4 address
  ["3fff::", 20],
] as const) {
  INSIDE_V6.addSubnet(network, bits, "ipv6");
}
/** ::ffff:a.b.c.d and 64:ff9b::a.b.c.d are IPv4 addresses in another form, and are judged as IPv4. */
const DRESSED_V4: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !INSIDE_V4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false; // a zone belongs to a link
  const words = localizedTextOf(address);
  if (words === undefined) return false;
  const dressed = DRESSED_V4.some((prefix) => prefix.every((word, index) => words[index] === word));
  if (dressed) return isPublicAddress(lastAsV4(words));
  return GLOBAL_V6.check(address, "ipv6") && !INSIDE_V6.check(address, "ipv6");
}

/** The eight numbers of an IPv6 address. The URL parser knows every spelling and answers with one. */
function localizedTextOf(address: string): number[] | undefined {
  const url = URL.parse(`http://[${address}]/`);
  if (url === null) return undefined;
  const [head = "", tail] = url.hostname.slice(1, -1).split("::");
  const left = numbers(head);
  if (tail === undefined) return left;
  const right = numbers(tail);
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

const numbers = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));

function lastAsV4(words: readonly number[]): string {
  const [high = 0, low = 0] = words.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}
