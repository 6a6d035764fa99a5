/**
 * The sounds of the table, made on the spot: paper, wood and small bells. Each moment has its own,
 * put together from layers; all are quiet, short, and in D, so that they may overlap.
 */
import { settings } from "../settings.svelte";
import type { Moment } from "./moments";

interface Layer {
  of: "paper" | "wood" | "bell";
  /** Seconds from now. */
  at?: number;
  /** Hertz; for paper, the middle of its rustle. */
  pitch: number;
  /** Seconds until it has died away. */
  length: number;
  loud: number;
}

/** The last seconds of a decision are heard too. */
export type Sound = Moment | "late";

const [D3, F3, A3, D4, Fis4, A4, D5, Fis5, A5, D6] = [
  147, 175, 220, 294, 370, 440, 587, 740, 880, 1175,
];

const rustle = (at: number, pitch: number, loud = 0.3): Layer => ({
  of: "paper",
  at,
  pitch,
  length: 0.07,
  loud,
});
const bell = (at: number, pitch: number, length: number, loud: number): Layer => ({
  of: "bell",
  at,
  pitch,
  length,
  loud,
});
const wood = (at: number, pitch: number, loud: number, length = 0.16): Layer => ({
  of: "wood",
  at,
  pitch,
  length,
  loud,
});

const sounds: Readonly<Record<Sound, readonly Layer[]>> = {
  deal: [0, 1, 2, 3, 4].map((card) => rustle(card * 0.055, 2300 + 220 * card, 0.22)),
  trump: [rustle(0, 2600), bell(0.05, A4, 0.9, 0.16), bell(0.05, D5, 0.7, 0.08)],
  play: [rustle(0, 3000, 0.5), wood(0.012, 150, 0.45, 0.09)],
  trick: [
    rustle(0, 1700, 0.25),
    rustle(0.06, 2300, 0.25),
    wood(0.13, D4, 0.22),
    wood(0.21, A4, 0.18),
  ],
  met: [bell(0, D5, 0.6, 0.15), bell(0.08, A5, 0.7, 0.13), bell(0.16, D6, 1, 0.12)],
  broken: [wood(0, A3, 0.3, 0.25), wood(0.13, F3, 0.3, 0.35)],
  round: [bell(0, D4, 1.1, 0.16), bell(0.02, A4, 0.9, 0.09)],
  game: [
    bell(0, D4, 1.4, 0.14),
    bell(0.11, Fis4, 1.3, 0.12),
    bell(0.22, A4, 1.3, 0.12),
    bell(0.33, D5, 1.6, 0.13),
    bell(0.33, D3, 1.8, 0.1),
  ],
  won: [
    ...[D4, Fis4, A4, D5, Fis5, A5].map((pitch, at) => bell(0.07 * at, pitch, 1.2, 0.12)),
    bell(0.46, D6, 1.8, 0.13),
    bell(0.46, D5, 1.8, 0.1),
    bell(0.46, D3, 2, 0.12),
  ],
  late: [wood(0, 1250, 0.7, 0.06), rustle(0, 3800, 0.25)],
};

/** Overtones of a small bell: how high, how loud, how long compared to the note. */
const PARTIALS = [
  [1, 1, 1],
  [2.01, 0.4, 0.6],
  [2.76, 0.22, 0.4],
  [5.4, 0.08, 0.2],
] as const;

/** Bots that play at once would rattle. */
const APART = 0.05;

let output: { context: AudioContext; into: AudioNode } | null = null;
const last = new Map<Sound, number>();

export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === "undefined" || !touched()) return;
  if (output === null) {
    const context = new AudioContext();
    output = { context, into: room(context) };
  }
  const { context, into } = output;
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  if (context.state !== "running") return;
  if (context.currentTime - (last.get(sound) ?? -1) < APART) return;
  last.set(sound, context.currentTime);
  render(context, into, sound);
}

/** What everything sounds through: never louder than it should be, however much happens. */
export function room(context: BaseAudioContext): AudioNode {
  const compressor = new DynamicsCompressorNode(context, { threshold: -18, ratio: 6 });
  compressor.connect(context.destination);
  return compressor;
}

export function render(context: BaseAudioContext, into: AudioNode, sound: Sound): void {
  for (const layer of sounds[sound]) {
    const begin = context.currentTime + (layer.at ?? 0);
    if (layer.of === "paper") paper(context, into, layer, begin);
    else if (layer.of === "wood") knock(context, into, layer, begin);
    else for (const partial of PARTIALS) ring(context, into, layer, begin, partial);
  }
}

function fading(context: BaseAudioContext, loud: number, begin: number, length: number): GainNode {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loud, begin + 0.004);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  return volume;
}

/** A card over a cloth: noise through a narrow window. */
function paper(
  context: BaseAudioContext,
  into: AudioNode,
  { pitch, length, loud }: Layer,
  begin: number,
): void {
  const source = new AudioBufferSourceNode(context, { buffer: noise(context), loop: true });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.9 });
  filter.frequency.setValueAtTime(pitch, begin);
  filter.frequency.exponentialRampToValueAtTime(pitch * 0.55, begin + length);
  source
    .connect(filter)
    .connect(fading(context, loud, begin, length))
    .connect(into);
  source.start(begin, Math.random() * 0.4);
  source.stop(begin + length);
}

/** A knock: a note that falls a little and dies at once. */
function knock(
  context: BaseAudioContext,
  into: AudioNode,
  { pitch, length, loud }: Layer,
  begin: number,
): void {
  const source = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  source.frequency.setValueAtTime(pitch * 1.18, begin);
  source.frequency.exponentialRampToValueAtTime(pitch, begin + 0.03);
  source.connect(fading(context, loud, begin, length)).connect(into);
  source.start(begin);
  source.stop(begin + length);
}

function ring(
  context: BaseAudioContext,
  into: AudioNode,
  { pitch, length, loud }: Layer,
  begin: number,
  [high, share, part]: (typeof PARTIALS)[number],
): void {
  const source = new OscillatorNode(context, { frequency: pitch * high });
  source.connect(fading(context, loud * share, begin, length * part)).connect(into);
  source.start(begin);
  source.stop(begin + length * part);
}

const noises = new WeakMap<BaseAudioContext, AudioBuffer>();

function noise(context: BaseAudioContext): AudioBuffer {
  const known = noises.get(context);
  if (known !== undefined) return known;
  const buffer = new AudioBuffer({
    length: context.sampleRate / 2,
    sampleRate: context.sampleRate,
  });
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  noises.set(context, buffer);
  return buffer;
}

/** Browsers keep a page silent and still until it has been touched once. */
function touched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? true;
}

/** A short buzz in the hand, or several with pauses between them. */
export function buzz(pattern: number | number[] = 60): void {
  if (settings.vibration && "vibrate" in navigator && touched()) navigator.vibrate(pattern);
}
