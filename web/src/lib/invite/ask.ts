/** Asks a friend to come to a table: hands its address to the device, or to the clipboard. */
import { m } from "../messages.svelte";
import { withKey } from "../net/keys";
import { toast } from "../toasts.svelte";

export async function askFriend(code: string): Promise<void> {
  const url = withKey(`${location.origin}/t/${code}`, code);
  try {
    if (typeof navigator.share === "function") {
      await navigator.share({ url, title: m.invite_share_title() });
    } else {
      await navigator.clipboard.writeText(url);
      toast(m.link_copied, { kind: "good" });
    }
  } catch {
    // Sharing was cancelled, or the page may not copy: the lobby shows the link too.
  }
}
