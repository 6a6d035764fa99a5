/**
 * A player's own share of the randomness: random bytes, committed to by their SHA-256 and revealed when the
 * cards are dealt. They stay in this tab until then.
 */

const key = (code: string): string => `foretold.bytes.${code}`;

export interface Contribution {
  bytes: string;
  commitment: string;
}

/** Fresh bytes with their commitment, both in hexadecimal; none if the page is not secure. */
export async function drawContribution(): Promise<Contribution | null> {
  if (globalThis.crypto?.subtle === undefined) return null;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return { bytes: hex(bytes), commitment: await sha256(bytes) };
}

export function keepBytes(code: string, bytes: string): void {
  try {
    sessionStorage.setItem(key(code), bytes);
  } catch {
    // Without storage, the deal is as fair as the server makes it.
  }
}

export function keptBytes(code: string): string | null {
  try {
    return sessionStorage.getItem(key(code));
  } catch {
    return null;
  }
}

/** Draws and stores bytes for a table; returns the commitment to send. */
export async function newContribution(code: string): Promise<string | null> {
  const drawn = await drawContribution();
  if (drawn === null) return null;
  keepBytes(code, drawn.bytes);
  return drawn.commitment;
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
