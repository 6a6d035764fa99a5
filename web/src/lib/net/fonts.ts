/**
 * A browser never asks twice for a font that failed to load, as when a phone changes networks: the
 * whole visit would be in other letters. Such fonts are declared anew until they arrive; their
 * stand-ins take the same space, so nothing jumps then.
 */
/** Milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

let mending = false;

export function mendFonts(): void {
  document.fonts.addEventListener("loadingerror", () => void mend());
  void mend();
}

async function mend(): Promise<void> {
  if (mending) return;
  mending = true;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    await document.fonts.ready;
    const lost = lostFonts();
    if (lost.length === 0) break;
    await new Promise((go) => setTimeout(go, pause));
    for (const rule of lost) declareAnew(rule);
  }
  mending = false;
}

/** The rules whose file did not arrive; a stand-in that this machine lacks is no loss. */
function lostFonts(): CSSFontFaceRule[] {
  const failed = new Set(
    [...document.fonts].filter(({ status }) => status === "error").map((face) => nameOf(face)),
  );
  if (failed.size === 0) return [];
  return [...document.styleSheets]
    .flatMap(rulesOf)
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .filter(({ style }) => {
      const [family, unicodeRange] = ["font-family", "unicode-range"].map((name) =>
        style.getPropertyValue(name),
      ) as [string, string];
      const isOurs = style.getPropertyValue("src").includes("url(");
      return isOurs && failed.has(nameOf({ family, unicodeRange }));
    });
}

/** A sheet that an extension has added, from another origin, shows nobody its rules. */
function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

function nameOf({ family, unicodeRange }: { family: string; unicodeRange: string }): string {
  return `${family} ${unicodeRange}`.replace(/["'\s]/g, "").toLowerCase();
}

function declareAnew(rule: CSSFontFaceRule): void {
  const sheet = rule.parentStyleSheet;
  if (sheet === null) return;
  const index = [...sheet.cssRules].indexOf(rule);
  const text = rule.cssText;
  sheet.deleteRule(index);
  sheet.insertRule(text, index);
}
