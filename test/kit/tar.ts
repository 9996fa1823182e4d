/** Archives byte by byte, also such as no honest program would write. */
export type TarEntry = {
  name?: string;
  prefix?: string;
  text?: string;
  type?: string;
  link?: string;
  /** Said in the header, whatever the text is. */
  size?: number;
  rawSize?: string;
  /** An extension header for the entry behind it. */
  pax?: Record<string, string>;
};

export function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)]);
}

function blocksOf(entry: TarEntry): Buffer[] {
  if (entry.pax !== undefined) return blocksOf({ name: "pax", type: "x", text: paxText(entry.pax) });
  const body = Buffer.from(entry.text ?? "");
  const header = Buffer.alloc(512);
  header.write(entry.name ?? "", 0, 100);
  header.write("0000644\0", 100);
  header.write(entry.rawSize ?? (entry.size ?? body.length).toString(8).padStart(11, "0"), 124, 12);
  header.write("00000000000", 136);
  header.write(entry.type ?? "0", 156, 1);
  header.write(entry.link ?? "", 157, 100);
  header.write("ustar\u000000", 257);
  header.write(entry.prefix ?? "", 345, 155);
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
}

function paxText(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      let length = rest.length + 1;
      while (`${length}${rest}`.length !== length) length += 1;
      return `${length}${rest}`;
    })
    .join("");
}
