/**
 * Messages with parameters, plurals and choices, in the part of ICU's message syntax that a card
 * game needs:
 *
 *     {name} leads
 *     {count, plural, =0 {no tricks} one {# trick} other {# tricks}}
 *     {side, select, wizard {as a Wizard} jester {as a Jester}}
 *
 * and, beyond ICU, names in the form that their place in a sentence needs, if the parameter is a
 * function of the form (see `card.ts`):
 *
 *     You play {card, object}
 *
 * Plain JavaScript, because the build reads messages with it too.
 *
 * @typedef {"name" | "subject" | "object"} Form alone; opening a sentence; as what a verb acts on
 * @typedef {(form: Form) => string} Forms
 * @typedef {string | number | Forms} Value
 * @typedef {[name: string, parts: Part[]]} Case
 * @typedef {string
 *   | { kind: "count" }
 *   | { kind: "value", name: string, form: Form | null }
 *   | { kind: "plural" | "select", name: string, cases: Case[] }} Part
 */

/**
 * @param {string} text
 * @returns {Part[]}
 */
export function parse(text) {
  let at = 0;

  /** @param {string} why */
  function fail(why) {
    return new Error(`${why} at ${at} in message "${text}"`);
  }

  /** @param {RegExp} pattern a sticky pattern */
  function take(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found?.[1];
  }

  /** @param {boolean} inPlural */
  function parts(inPlural) {
    /** @type {Part[]} */
    const found = [];
    while (at < text.length && text[at] !== "}") {
      const literal = take(inPlural ? /([^{}#]+)/y : /([^{}]+)/y);
      if (literal !== undefined) found.push(literal);
      else if (text[at] === "#") {
        at += 1;
        found.push({ kind: "count" });
      } else found.push(placeholder(inPlural));
    }
    return found;
  }

  /**
   * @param {boolean} inPlural
   * @returns {Part}
   */
  function placeholder(inPlural) {
    const name = take(/\{\s*(\w+)\s*/y);
    if (name === undefined) throw fail("expected a name");
    if (take(/(\})/y)) return { kind: "value", name, form: null };
    const form = /** @type {Form | undefined} */ (take(/,\s*(name|subject|object)\s*\}/y));
    if (form !== undefined) return { kind: "value", name, form };
    const kind = take(/,\s*(plural|select)\s*,\s*/y);
    if (kind !== "plural" && kind !== "select") throw fail("expected plural, select or a form");
    /** @type {Case[]} */
    const cases = [];
    for (;;) {
      const label = take(/(=?\w+)\s*\{/y);
      if (label === undefined) break;
      const inner = parts(inPlural || kind === "plural");
      if (take(/(\})\s*/y) === undefined) throw fail("expected }");
      cases.push([label, inner]);
    }
    if (kind === "plural" && !cases.some(([label]) => label === "other")) {
      throw fail("a plural needs the case other");
    }
    if (cases.length === 0 || take(/(\})/y) === undefined) throw fail("expected a case or }");
    return { kind, name, cases };
  }

  const whole = parts(false);
  if (at < text.length) throw fail("unexpected }");
  return whole;
}

/**
 * @param {Part[]} parts
 * @param {Record<string, Value>} parameters
 * @param {string} locale
 * @param {string} [count] the number that # stands for
 * @returns {string}
 */
export function format(parts, parameters, locale, count = "#") {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.kind === "count") return count;
      const value = parameters[part.name] ?? "";
      if (part.kind === "value") return shown(value, locale, part.form);
      const chosen =
        part.kind === "plural"
          ? plural(part.cases, Number(value), locale)
          : named(part.cases, value);
      const inner = part.kind === "plural" ? shown(value, locale) : count;
      return format(chosen ?? [], parameters, locale, inner);
    })
    .join("");
}

/**
 * @param {Value} value
 * @param {string} locale
 * @param {Form | null} form
 */
function shown(value, locale, form = null) {
  if (typeof value === "function") return value(form ?? "name");
  return typeof value === "number" ? value.toLocaleString(locale) : value;
}

/**
 * @param {Case[]} cases
 * @param {Value} label
 */
function named(cases, label) {
  const found = cases.find(([name]) => name === label) ?? cases.find(([name]) => name === "other");
  return found?.[1];
}

/**
 * @param {Case[]} cases
 * @param {number} value
 * @param {string} locale
 */
function plural(cases, value, locale) {
  const exact = cases.find(([name]) => name === `=${value}`);
  return exact?.[1] ?? named(cases, new Intl.PluralRules(locale).select(value));
}
