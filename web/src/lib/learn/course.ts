/** The course: its chapters, and the words for its lessons. */
import { figureList } from "../cards/card";
import { m } from "../messages.svelte";

export interface Chapter {
  name: "basics" | "specials" | "variants";
  lessons: string[];
}

/** The server's lessons in order, by chapter; lessons this client does not know come last. */
export function chaptersOf(lessons: readonly string[]): Chapter[] {
  const chapters: Chapter[] = [
    { name: "basics", lessons: [] },
    { name: "specials", lessons: [] },
    { name: "variants", lessons: [] },
  ];
  for (const lesson of lessons) {
    const name = chapterOf[lesson] ?? "variants";
    chapters.find((chapter) => chapter.name === name)?.lessons.push(lesson);
  }
  return chapters.filter((chapter) => chapter.lessons.length > 0);
}

const basics = ["tricks", "trump", "wizards", "foretelling", "first_game"];
/** Each special card has a lesson named after it. */
const specials = figureList
  .filter(({ special }) => special)
  .map(({ code, name }) => [name.toLowerCase(), code] as const);
const chapterOf: Record<string, Chapter["name"]> = Object.fromEntries([
  ...basics.map((lesson) => [lesson, "basics"]),
  ...specials.map(([lesson]) => [lesson, "specials"]),
]);

/** The card that stands for a lesson. */
export const cardOf: Readonly<Record<string, string>> = {
  tricks: "B12",
  trump: "G8",
  wizards: "W",
  foretelling: "Y7",
  first_game: "J",
  ...Object.fromEntries(specials),
  plus_minus_one: "R1",
  leader_uneven: "R13",
  hidden: "G3",
  secret: "B3",
  clairvoyance: "Y13",
  monocolour: "B6",
  two_players: "R12",
  dark_wizard: "W",
};

export function nextAfter(lesson: string, lessons: readonly string[]): string | null {
  const at = lessons.indexOf(lesson);
  return at < 0 ? null : (lessons[at + 1] ?? null);
}

function found(key: string): string | null {
  const told = (m as unknown as Record<string, () => string>)[key]?.() ?? key;
  return told === key ? null : told;
}

export const lessonName = (lesson: string): string =>
  found(`lesson_${lesson}`) ?? lesson.replaceAll("_", " ");
export const lessonHint = (lesson: string): string => found(`lesson_${lesson}_hint`) ?? "";
/** What the student knows after it. */
export const lessonLearned = (lesson: string): string => found(`lesson_${lesson}_learned`) ?? "";
