// Which camera took a photograph, and how it was held: maker, model and focal length (a phone has several lenses), and the
// orientation, from the JPEG's EXIF, before it is made smaller; as the service names them.

const MAKER = 0x010f;
const MODEL = 0x0110;
const ORIENTATION = 0x0112;
const DETAILS = 0x8769; // where another directory begins
const FOCAL = 0x920a; // mm, a fraction
const HEAD = 128 * 1024; // bytes in which EXIF is looked for

/** What a form says of the photo in a file: { camera: "Maker Model 4.2 mm", orientation: 1 to 8 }, without what the file does not say. */
export async function takenBy(file) {
  try {
    return found(new DataView(await file.slice(0, HEAD).arrayBuffer()));
  } catch {
    return {};
  }
}

function found(view) {
  if (view.getUint16(0) !== 0xffd8) return {};
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xda) return {};
    if (marker === 0xe1 && view.getUint32(at + 4) === 0x45786966) return named(view, at + 10); // "Exif"
    at += 2 + view.getUint16(at + 2);
  }
  return {};
}

function named(view, start) {
  const little = view.getUint16(start) === 0x4949;
  const short = (at) => view.getUint16(start + at, little);
  const long = (at) => view.getUint32(start + at, little);
  const values = {};
  const read = (directory) => {
    for (let k = 0; k < short(directory); k++) {
      const entry = directory + 2 + 12 * k;
      const tag = short(entry);
      if (tag === DETAILS) read(long(entry + 8));
      else if (tag === FOCAL) values[tag] = long(long(entry + 8)) / long(long(entry + 8) + 4);
      else if (tag === ORIENTATION) values[tag] = short(entry + 8);
      else if (tag === MAKER || tag === MODEL) values[tag] = text(entry);
    }
  };
  const text = (entry) => {
    const length = long(entry + 4);
    const from = length > 4 ? long(entry + 8) : entry + 8;
    let letters = "";
    for (let i = 0; i < length; i++) letters += String.fromCharCode(view.getUint8(start + from + i));
    return letters.replace(/\0[^]*$/, "").trim();
  };
  read(long(4));
  const name = `${values[MAKER] ?? ""} ${values[MODEL] ?? ""}`.trim();
  const camera = name && values[FOCAL] ? `${name} ${values[FOCAL].toFixed(1)} mm` : name;
  const orientation = values[ORIENTATION];
  return { ...(camera && { camera }), ...(orientation >= 1 && orientation <= 8 && { orientation }) };
}
