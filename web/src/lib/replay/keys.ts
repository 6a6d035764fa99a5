/** The keys of a replay. */
import type { ReplaySide } from "./side.svelte";

/** Handles a key; returns whether it meant something here. */
export function press(side: ReplaySide, event: KeyboardEvent): boolean {
  const { replay } = side;
  if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return false;
  const unit = event.shiftKey ? "trick" : "action";
  const seat = /^[1-6]$/.test(event.key) ? Number(event.key) - 1 : side.players;
  if (seat < side.players) {
    void side.sit(seat);
    return true;
  }
  switch (event.key) {
    case "ArrowRight":
      replay.by(unit, 1);
      return true;
    case "ArrowLeft":
      replay.by(unit, -1);
      return true;
    case "PageDown":
      replay.by("round", 1);
      return true;
    case "PageUp":
      replay.by("round", -1);
      return true;
    case "Home":
      replay.show(0);
      return true;
    case "End":
      replay.show(replay.last);
      return true;
    case " ":
      replay.toggle();
      return true;
    default:
      return false;
  }
}

/** Fields and lists keep their keys, and buttons keep the space bar. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("select, textarea, dialog, input:not([type=range])")) return true;
  return event.key === " " && target.closest("button, a, summary, label") !== null;
}
