// Sets the chosen theme before the first paint; src/lib/settings.svelte.ts owns it afterwards.
try {
  const { theme } = JSON.parse(localStorage.getItem("foretold.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed or holds rubbish: the system's theme it is.
}
