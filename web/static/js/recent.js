// The matches that this device has seen, so that people find them again. Kept in the browser only.

const KEY = "matches";
const MOST = 8;

export function recentMatches() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]").filter((match) => match.id && match.game);
  } catch {
    return [];
  }
}

export function remember(match) {
  const others = recentMatches().filter((other) => other.id !== match.id);
  const names = match.players.map((player) => player.name).join(", ");
  const entry = { id: match.id, game: match.game, title: match.title, names, day: match.created.slice(0, 10) };
  localStorage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, MOST)));
}

export function forgetMatch(id) {
  localStorage.setItem(KEY, JSON.stringify(recentMatches().filter((match) => match.id !== id)));
}
