import { mount } from "svelte";
import App from "./App.svelte";
import { firstLanguage } from "./lib/settings.svelte";
import "./fonts.gen/fonts.css";
import "./theme.css";
import "./base.css";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

if (await firstLanguage()) mount(App, { target });
else addEventListener("online", () => location.reload());
