// The service's API. Every failure is an ApiError with a sentence for people.

import { t } from "./start.js";

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function failure(status, body) {
  const told = body?.error;
  return new ApiError(status, told?.code ?? "error", told?.message ?? t("upload.failed"));
}

/** Ask the API; the answer is the parsed JSON, or null if there is none. */
export async function ask(method, url, body, options = {}) {
  let response;
  try {
    response = await fetch(url, {
      method,
      headers: { Accept: "application/json", ...(body ? { "Content-Type": "application/json" } : {}), ...options.headers },
      body: body ? JSON.stringify(body) : undefined,
      signal: options.signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "no-server", t("upload.no-server"));
  }
  if (response.status === 304 || response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw failure(response.status, answer);
  if (options.onTag) options.onTag(response.headers.get("ETag"));
  return answer;
}

/** Send a picture as the field `photo` of a form, beside other fields; the answer is the parsed JSON. */
export function sendForm(url, blob, fields = {}) {
  const form = new FormData();
  form.append("photo", blob, "photo");
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value);
  return post(url, form);
}

/** Send a form (FormData); the answer is the parsed JSON. */
export async function post(url, form) {
  let response;
  try {
    response = await fetch(url, { method: "POST", headers: { Accept: "application/json" }, body: form });
  } catch {
    throw new ApiError(0, "no-server", t("upload.no-server"));
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw failure(response.status, answer);
  return answer;
}

/** Send a photograph; progress(share) is told from 0 to 1. fields: what else is known of it, as `takenBy` tells. */
export function sendPhoto(blob, progress, signal, fields = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("photo", blob, "photo");
    for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value);
    request.open("POST", "/api/photos");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else reject(failure(request.status, request.response));
    });
    request.addEventListener("error", () => reject(new ApiError(0, "no-server", t("upload.no-server"))));
    request.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    if (signal?.aborted) {
      reject(new DOMException("", "AbortError"));
      return;
    }
    signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
