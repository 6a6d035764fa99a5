/** What a card says of itself: its name and one line, while it is hovered, held or focused. */
import type { Attachment } from "svelte/attachments";
import { on } from "svelte/events";
import { cardName, readCard } from "../cards/card";
import { m } from "../messages.svelte";
import type { CardCode } from "../net/protocol.gen";
import type { Side } from "./side";

export interface Tip {
  code: CardCode;
  name: string;
  /** What it does, unless it can't be played now. */
  line: string | null;
  /** Why it can't be played now. */
  why: string | null;
  /** Where the card is. */
  box: DOMRect;
  own: boolean;
  /** Whether a finger lies on it. */
  held: boolean;
}

/** Milliseconds: the mouse rests, the finger stays. */
const REST = 450;
const HOLD = 450;
/** A finger that moves further drags the card. */
const SLACK = 8;

let shown = $state.raw<Tip | null>(null);
/** Whether a finger did the last thing: the focus that follows asks nothing. */
let touched = false;
/** Where the mouse was last. A card that is dealt below it, or gathered from there, asks nothing either. */
let mouse = "";

export const tip = {
  get shown(): Tip | null {
    return shown;
  },
  hide(): void {
    shown = null;
  },
  touch(by: boolean): void {
    touched = by;
  },
  /** Whether the mouse has moved since. */
  moved({ clientX, clientY }: MouseEvent): boolean {
    const was = mouse;
    mouse = `${clientX} ${clientY}`;
    return mouse !== was;
  },
};

const figureLines: Readonly<Record<string, () => string>> = {
  W: () => m.card_line_wizard(),
  J: () => m.card_line_jester(),
  DR: () => m.special_dr_hint(),
  FA: () => m.special_fa_hint(),
  BO: () => m.special_bo_hint(),
  WE: () => m.special_we_hint(),
  JU: () => m.special_ju_hint(),
  CL: () => m.special_cl_hint(),
  SH: () => m.special_sh_hint(),
};

/** One line on a card without a suit, perhaps one's own; null for others. */
export function figureLine(code: CardCode, own = false): string | null {
  const card = readCard(code);
  if (own && card?.kind === "figure" && card.figure === "SH") return m.special_sh_own();
  return card?.kind === "figure" ? (figureLines[card.figure]?.() ?? null) : null;
}

/** One line on any card; in the monocolour game a suit has no rank of its own. */
function lineOf(code: CardCode, game: Side, own: boolean): string | null {
  const card = readCard(code);
  if (card?.kind !== "suit") return figureLine(code, own);
  if (game.monocolour) return null;
  const { suit } = card;
  return suit === game.view().trump ? m.card_line_trump() : m.card_line_suit({ suit });
}

/** Lets an element say what its card does. */
export function explains(code: CardCode, game: Side): Attachment<HTMLElement> {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from: { x: number; y: number } | null = null;
    /** It came to lie below the mouse, which has not moved since. */
    let dealt = false;
    /** The press was a question, so the click that ends it plays nothing. */
    let held = false;
    let mine: Tip | null = null;

    const show = (by?: "finger"): void => {
      const own = element.closest(".hand") !== null;
      const why = own ? (game.barredBy?.(code) ?? null) : null;
      mine = {
        code,
        name: cardName(code),
        line: why === null ? lineOf(code, game, own) : null,
        why,
        box: (element.querySelector(".lay") ?? element).getBoundingClientRect(),
        own,
        held: by === "finger",
      };
      shown = mine;
    };
    const soon = (wait: number, then: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(then, wait);
    };
    const hide = (): void => {
      clearTimeout(timer);
      from = null;
      dealt = false;
      const gone = mine;
      if (gone === null) return;
      mine = null;
      // A card may leave the table, and lose the focus, while that is being drawn.
      queueMicrotask(() => {
        if (shown === gone) shown = null;
      });
    };

    const heard = {
      pointerenter: (event: PointerEvent) => {
        if (event.pointerType !== "mouse") return;
        if (tip.moved(event)) soon(REST, () => show());
        else dealt = true;
      },
      pointerleave: hide,
      pointerdown: (event: PointerEvent) => {
        hide();
        held = false;
        if (event.pointerType === "mouse") return;
        from = { x: event.clientX, y: event.clientY };
        soon(HOLD, () => {
          held = true;
          show("finger");
        });
      },
      pointermove: (event: PointerEvent) => {
        const { clientX, clientY } = event;
        if (dealt && tip.moved(event)) {
          dealt = false;
          soon(REST, () => show());
        }
        if (from !== null && Math.hypot(clientX - from.x, clientY - from.y) > SLACK) hide();
      },
      pointerup: hide,
      pointercancel: hide,
      focus: () => {
        if (!touched && element.matches(":focus-visible")) soon(REST, () => show());
      },
      blur: hide,
    };
    const click = (event: Event): void => {
      if (!held) return;
      held = false;
      event.stopPropagation();
    };
    const menu = (event: Event): void => {
      if (held) event.preventDefault();
    };

    const line = figureLine(code);
    // Screen readers say it after the name; a suit needs no explaining every time.
    if (line !== null) element.setAttribute("aria-description", line);
    // By Svelte's own `on`: a card that is removed while it has the focus blurs in the middle of an update.
    const ears = Object.entries(heard).map(([name, hear]) =>
      on(element, name as "focus", hear as () => void),
    );
    ears.push(on(element, "click", click, { capture: true }), on(element, "contextmenu", menu));
    return () => {
      hide();
      element.removeAttribute("aria-description");
      for (const unhear of ears) unhear();
    };
  };
}
