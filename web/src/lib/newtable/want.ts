import { m } from "../messages.svelte";
import type { Excluded, Options } from "../net/protocol.gen";
import { toast } from "../toasts.svelte";
import { explain } from "../refusals";
import { optionName } from "../words/rules";
import { same, type RulesDraft } from "./draft.svelte";

/** Chooses a value that does not fit, changes what it needs, and says what that was. */
export async function want(
  draft: RulesDraft,
  excluded: Excluded,
  options: Options["options"],
): Promise<void> {
  const before = draft.rules;
  const mended = await draft.mended(excluded, options);
  if (mended === null || !(await draft.adopt(mended))) {
    toast(() => explain(excluded), { kind: "bad" });
    return;
  }
  const changed = Object.keys(before).filter(
    (option) => option !== excluded.option && !same(before[option], draft.rules[option]),
  );
  if (changed.length > 0) {
    toast(() => m.new_changed_too({ options: changed.map(optionName).join(", ") }));
  }
}
