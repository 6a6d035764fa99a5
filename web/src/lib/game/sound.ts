/** Sounds without files: a few notes from an oscillator, soft as wood and glass. */
import { settings } from "../settings.svelte";

interface Note {
  /** Hertz. */
  pitch: number;
  /** Seconds from now. */
  at: number;
  length: number;
  loud: number;
  shape?: OscillatorType;
}

const tunes = {
  card: [{ pitch: 320, at: 0, length: 0.05, loud: 0.05, shape: "triangle" }],
  trick: [
    { pitch: 392, at: 0, length: 0.12, loud: 0.05 },
    { pitch: 523, at: 0.07, length: 0.16, loud: 0.05 },
  ],
  turn: [
    { pitch: 587, at: 0, length: 0.18, loud: 0.08 },
    { pitch: 880, at: 0.11, length: 0.3, loud: 0.07 },
  ],
  met: [523, 659, 784, 1047].map((pitch, index) => ({
    pitch,
    at: index * 0.09,
    length: 0.35,
    loud: 0.07,
  })),
  missed: [
    { pitch: 330, at: 0, length: 0.2, loud: 0.05 },
    { pitch: 294, at: 0.14, length: 0.3, loud: 0.05 },
  ],
} satisfies Record<string, Note[]>;

export type Tune = keyof typeof tunes;

let context: AudioContext | null = null;

export function play(tune: Tune): void {
  if (!settings.sound || typeof AudioContext === "undefined" || !touched()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  if (context.state !== "running") return;
  const notes: Note[] = tunes[tune];
  for (const note of notes) sing(context, note);
}

function sing(context: AudioContext, { pitch, at, length, loud, shape = "sine" }: Note): void {
  const begin = context.currentTime + at;
  const oscillator = new OscillatorNode(context, { type: shape, frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loud, begin + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length);
}

/** Browsers keep a page silent and still until it has been touched once. */
function touched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? true;
}

/** A short buzz in the hand. */
export function buzz(): void {
  if (settings.vibration && "vibrate" in navigator && touched()) navigator.vibrate(60);
}
