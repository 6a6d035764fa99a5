/** Where the rule behind a refusal is explained. */

const anchors: Readonly<Record<string, string>> = {
  must_follow: "follow",
  bid_range: "bids",
  bid_forbidden: "bid-total",
  trump_required: "trump",
  cloud_range: "special-cl",
};

/** The rule behind a refusal's code; null if there is none. */
export function anchorOf(code: string): string | null {
  return anchors[code] ?? null;
}
