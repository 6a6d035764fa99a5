import { mount } from "svelte";
import App from "./App.svelte";
import { preferredLocale, setLocale } from "./lib/messages.svelte";
import "./theme.css";
import "./base.css";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

await setLocale(preferredLocale(navigator.languages));
mount(App, { target });
