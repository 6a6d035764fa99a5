/** Tests speak English unless they say otherwise, as the site does once its texts have come. */
import { setLocale } from "../src/lib/messages.svelte";

await setLocale("en");
