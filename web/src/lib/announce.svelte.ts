/** What a screen reader should say now; `LiveRegions.svelte` holds the two regions. */

export const spoken = $state({ polite: "", assertive: "" });

/** `assertive` interrupts: use it only for what the player must do at once. */
export function announce(text: string, urgency: "polite" | "assertive" = "polite"): void {
  // A region that gets the same text again stays silent: an invisible mark makes it new.
  spoken[urgency] = spoken[urgency] === text ? `${text}\u00a0` : text;
}
