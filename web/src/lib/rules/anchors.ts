/** Where the rule behind a refusal is explained. */

const anchors: Readonly<Record<string, string>> = {
  must_follow: "follow",
  bid_range: "bids",
  bid_forbidden: "bid-total",
  trump_required: "trump",
  cloud_range: "special-cl",
};

/** The rule by the code of the refusal; null where no rule is behind it. */
export function anchorOf(code: string): string | null {
  return anchors[code] ?? null;
}
