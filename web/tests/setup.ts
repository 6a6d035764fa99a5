/** Tests use English unless they say otherwise, as the site does once its texts are loaded. */
import { setLocale } from "../src/lib/messages.svelte";

await setLocale("en");
