/** The code of a table in whatever people type or paste: `kqx mrp`, `KQX-MRP`, a link to it. */
export function readCode(text: string): string | null {
  const linked = /\/[trs]\/([a-z]{6})(?![a-z])/i.exec(text)?.[1];
  const letters = linked ?? text.replace(/[\s\p{P}]/gu, "");
  return /^[a-z]{6}$/i.test(letters) ? letters.toUpperCase() : null;
}

/** Whether the text is a link to a score sheet. */
export const isSheetLink = (text: string): boolean => isLink("s", text);

/** Whether the text is a link to a replay. */
export const isReplayLink = (text: string): boolean => isLink("r", text);

function isLink(page: string, text: string): boolean {
  return new RegExp(`/${page}/[a-z]{6}(?![a-z])`, "i").test(text);
}
