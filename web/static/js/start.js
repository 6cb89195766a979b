// What the page was given to start from, and texts in the reader's language.

export const start = JSON.parse(document.getElementById("start")?.textContent ?? "{}");

function filled(text, fields) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
}

/** A text by its key, its braces filled. */
export function t(key, fields = {}) {
  const text = start.texts?.[key];
  if (text === undefined) throw new Error(`there is no text ${key}`);
  return filled(Array.isArray(text) ? text[text.length - 1] : text, fields);
}

const rules = new Intl.PluralRules(start.language ?? "en");

/** A text that depends on a number: {n}. */
export function tn(key, number, fields = {}) {
  const forms = start.texts?.[key];
  if (!Array.isArray(forms)) throw new Error(`there is no plural ${key}`);
  const form = { one: 0, few: 1, many: 2 }[rules.select(number)] ?? 2;
  return filled(forms[form], { n: number, ...fields });
}
