/** Which sheet at the edge is open; only one at a time. */

export type DrawerName =
  "tablet" | "talk" | "menu" | "players" | "rules" | "fair" | "help" | "leave";

export class Drawers {
  shown = $state<DrawerName | null>(null);

  /** The rule to show first when the rules are open. */
  rule = $state<string | null>(null);

  openRules(rule: string | null): void {
    this.rule = rule;
    this.shown = "rules";
  }

  toggle(name: DrawerName): void {
    this.shown = this.shown === name ? null : name;
  }

  /** Closes the drawer only if it is the open one. */
  close(name: DrawerName): void {
    if (this.shown === name) this.shown = null;
    if (name === "rules") this.rule = null;
  }
}
