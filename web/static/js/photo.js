// A photograph from the camera or a file, made small enough to send. The right way up, never mirrored.

import { ApiError } from "./api.js";
import { start, t } from "./start.js";

const LONG_SIDE = 2400; // pixels: more does not help the reading
const ALREADY_SMALL = 3_000_000; // bytes
const QUALITY = 0.92;

/** The file as a JPEG of at most LONG_SIDE; unchanged where the browser cannot open it (the server may). */
export async function shrunk(file) {
  let image;
  try {
    image = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return withinLimit(file);
  }
  const scale = Math.min(1, LONG_SIDE / Math.max(image.width, image.height));
  if (scale === 1 && file.type === "image/jpeg" && file.size <= ALREADY_SMALL) {
    image.close();
    return file;
  }
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  return withinLimit(blob ?? file);
}

function withinLimit(blob) {
  if (blob.size > start.limit) throw new ApiError(413, "too-large", t("upload.too-large"));
  return blob;
}

/** The first picture in what was dropped or pasted. */
export function pictureIn(transfer) {
  for (const file of transfer?.files ?? []) {
    if (file.type.startsWith("image/") || /\.(hei[cf]|avif)$/i.test(file.name)) return file;
  }
  return null;
}
