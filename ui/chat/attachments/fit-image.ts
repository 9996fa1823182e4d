/** Makes an image small enough to be sent: first by its size in pixels, then by its quality. */
import { KEPT_TYPES } from "./blob-url.ts";

const SIDE_PX_MAX = 2_048;
const QUALITIES = [0.85, 0.7, 0.55] as const;
const SHRINK = 0.75;
const SHRINKS_MAX = 8;

/** Undefined where the browser cannot read it as an image, or it stays too large. */
export async function fitImage(file: Blob, bytesMax: number): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined); // what a file calls itself proves nothing
  if (picture === undefined) return undefined;
  try {
    const fits = file.size <= bytesMax && KEPT_TYPES.has(file.type);
    return fits ? file : await shrunk(picture, bytesMax);
  } finally {
    picture.close();
  }
}

async function shrunk(picture: ImageBitmap, bytesMax: number): Promise<Blob | undefined> {
  let scale = Math.min(1, SIDE_PX_MAX / Math.max(picture.width, picture.height));
  for (let tries = 0; tries < SHRINKS_MAX; tries += 1) {
    const canvas = drawn(picture, scale);
    for (const quality of QUALITIES) {
      const blob = await encoded(canvas, quality);
      if (blob !== undefined && blob.size <= bytesMax) return blob;
    }
    scale *= SHRINK;
  }
  return undefined;
}

function drawn(picture: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** A browser that cannot write WebP answers with PNG, which is often larger; then JPEG is tried. */
async function encoded(canvas: HTMLCanvasElement, quality: number): Promise<Blob | undefined> {
  const webp = await written(canvas, "image/webp", quality);
  return webp?.type === "image/webp" ? webp : written(canvas, "image/jpeg", quality);
}

const written = (canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | undefined> =>
  new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), type, quality));
