/** Keeps the screen on while a sheet lies on the table; returns a function that lets it sleep again. */
export function stayAwake(): () => void {
  if (!("wakeLock" in navigator)) return () => undefined;
  let lock: WakeLockSentinel | null = null;
  let over = false;

  async function ask(): Promise<void> {
    if (over || document.visibilityState !== "visible") return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (over) await lock.release();
    } catch {
      // Not possible now, or the battery is low: the screen then sleeps as usual.
    }
  }

  // The browser releases the lock when the page is hidden.
  document.addEventListener("visibilitychange", ask);
  void ask();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", ask);
    void lock?.release();
  };
}
