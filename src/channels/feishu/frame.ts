/**
 * Frames of Feishu's long connection: protobuf, with these nine fields and no others.
 *
 *   1 SeqID · 2 LogID · 3 service · 4 method (0 control, 1 data) · 5 headers {1 key, 2 value} · 6 payload_encoding ·
 *   7 payload_type · 8 payload · 9 LogIDNew
 */
export type Frame = {
  seqId: bigint;
  logId: bigint;
  service: number;
  method: number;
  headers: Record<string, string>;
  payloadEncoding: string;
  payloadType: string;
  payload: Buffer;
  logIdNew: string;
};

const [VARINT, BYTES] = [0, 2];
const FIELDS_MAX = 1_000;

export const emptyFrame: Frame = {
  seqId: 0n,
  logId: 0n,
  service: 0,
  method: 0,
  headers: {},
  payloadEncoding: "",
  payloadType: "",
  payload: Buffer.alloc(0),
  logIdNew: "",
};

export function encodeFrame(frame: Frame): Buffer {
  const headers = Object.entries(frame.headers).map(([key, value]) =>
    bytesField(5, Buffer.concat([bytesField(1, Buffer.from(key)), bytesField(2, Buffer.from(value))])),
  );
  const texts: [number, Buffer][] = [
    [6, Buffer.from(frame.payloadEncoding)],
    [7, Buffer.from(frame.payloadType)],
    [8, frame.payload],
    [9, Buffer.from(frame.logIdNew)],
  ];
  return Buffer.concat([
    numberField(1, frame.seqId),
    numberField(2, frame.logId),
    numberField(3, BigInt(frame.service)),
    numberField(4, BigInt(frame.method)),
    ...headers,
    ...texts.flatMap(([field, value]) => (value.length === 0 ? [] : [bytesField(field, value)])),
  ]);
}

/** Throws where it is no frame. */
export function decodeFrame(bytes: Buffer): Frame {
  return fieldsIn(bytes).reduce(withField, emptyFrame);
}

function withField(frame: Frame, { field, number, value }: Field): Frame {
  switch (field) {
    case 1:
      return { ...frame, seqId: number };
    case 2:
      return { ...frame, logId: number };
    case 3:
      return { ...frame, service: Number(number) };
    case 4:
      return { ...frame, method: Number(number) };
    case 5:
      return { ...frame, headers: { ...frame.headers, ...headerIn(value) } };
    case 6:
      return { ...frame, payloadEncoding: value.toString("utf8") };
    case 7:
      return { ...frame, payloadType: value.toString("utf8") };
    case 8:
      return { ...frame, payload: value };
    case 9:
      return { ...frame, logIdNew: value.toString("utf8") };
    default:
      return frame; // of a later version
  }
}

function headerIn(bytes: Buffer): Record<string, string> {
  const [key, value] = [1, 2].map(
    (wanted) =>
      fieldsIn(bytes)
        .find(({ field }) => field === wanted)
        ?.value.toString("utf8") ?? "",
  );
  return key === undefined || key === "__proto__" ? {} : { [key]: value ?? "" };
}

type Field = { field: number; number: bigint; value: Buffer };

function fieldsIn(bytes: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  while (at < bytes.length && found.length < FIELDS_MAX) {
    const tag = varintAt(bytes, at);
    const [field, kind] = [Number(tag.value >> 3n), Number(tag.value & 7n)];
    const number = varintAt(bytes, tag.end);
    if (kind === VARINT) {
      found.push({ field, number: number.value, value: Buffer.alloc(0) });
      at = number.end;
    } else if (kind === BYTES) {
      const end = number.end + Number(number.value);
      if (end > bytes.length) throw new Error("a frame that ends too early");
      found.push({ field, number: 0n, value: bytes.subarray(number.end, end) });
      at = end;
    } else throw new Error(`a frame with a field of kind ${kind}`);
  }
  return found;
}

const VARINT_BYTES_MAX = 10;

function varintAt(bytes: Buffer, start: number): { value: bigint; end: number } {
  let value = 0n;
  for (let n = 0; n < VARINT_BYTES_MAX; n += 1) {
    const byte = bytes[start + n];
    if (byte === undefined) throw new Error("a frame that ends too early");
    value |= BigInt(byte & 0x7f) << BigInt(7 * n);
    if (byte < 0x80) return { value, end: start + n + 1 };
  }
  throw new Error("a frame with a number that is too long");
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

const numberField = (field: number, value: bigint): Buffer =>
  Buffer.concat([varint(BigInt(field << 3)), varint(value)]);
const bytesField = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint(BigInt((field << 3) | BYTES)), varint(BigInt(value.length)), value]);
