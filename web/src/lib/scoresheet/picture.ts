/**
 * The sheet as a picture, drawn by hand: the content security policy does not allow painting a page
 * from its own markup.
 */
import { m } from "../messages.svelte";
import type { Sheet } from "../net/protocol.gen";
import { shortened } from "../tablet/chart";
import { entry, leaders, plain } from "../tablet/sheet";
import { finishedLines } from "./lines";

const SCALE = 2;
const MARGIN = 28;
const HEAD = 92;
const ROW = 34;
const ROUND = 44;
const TOTAL = 66;
const BID = 34;
const INK = "#211f45";
const SOFT = "#5a5373";
const EDGE = "rgb(90 60 10 / 0.35)";

type Point = [x: number, y: number];

/** The part of a canvas that is used for drawing. */
export type Brush = Pick<
  CanvasRenderingContext2D,
  "fillRect" | "fillText" | "beginPath" | "moveTo" | "lineTo" | "fill" | "stroke" | "scale"
> & {
  fillStyle: CanvasRenderingContext2D["fillStyle"];
  strokeStyle: CanvasRenderingContext2D["strokeStyle"];
  lineWidth: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
};

/** The site's font families. */
export interface Fonts {
  text: string;
  title: string;
}

export function pictureSize(sheet: Sheet): { width: number; height: number } {
  return {
    width: MARGIN * 2 + ROUND + sheet.names.length * (TOTAL + BID),
    height: MARGIN * 2 + HEAD + ROW * (sheet.rounds.length + 2),
  };
}

export function drawSheet(brush: Brush, sheet: Sheet, fonts: Fonts): void {
  const { width, height } = pictureSize(sheet);
  const lines = finishedLines(sheet);
  const right = width - MARGIN;
  const columnOf = (seat: number): number => MARGIN + ROUND + seat * (TOTAL + BID);
  const rowOf = (index: number): number => MARGIN + HEAD + index * ROW;

  /** Centred on a point; text wider than its space is squeezed into it. */
  function write(
    text: string,
    x: number,
    y: number,
    look: string,
    colour = INK,
    room = TOTAL + BID - 8,
  ): void {
    brush.font = look;
    brush.fillStyle = colour;
    brush.fillText(text, x, y, room);
  }
  function path(...[first, ...others]: [Point, ...Point[]]): void {
    brush.beginPath();
    brush.moveTo(...first);
    for (const point of others) brush.lineTo(...point);
  }
  function rule(x1: number, y1: number, x2: number, y2: number, thick = 1): void {
    brush.strokeStyle = EDGE;
    brush.lineWidth = thick;
    path([x1, y1], [x2, y2]);
    brush.stroke();
  }
  /** The fonts have no sigma. */
  function sum(x: number, y: number): void {
    brush.strokeStyle = INK;
    brush.lineWidth = 2;
    path(
      [x + 5, y - 4],
      [x + 5, y - 6],
      [x - 5, y - 6],
      [x + 1, y],
      [x - 5, y + 6],
      [x + 5, y + 6],
      [x + 5, y + 4],
    );
    brush.stroke();
  }

  brush.fillStyle = "#f6ecd4";
  brush.fillRect(0, 0, width, height);
  brush.textBaseline = "middle";
  brush.textAlign = "center";
  const title = `600 30px ${fonts.title}`;
  write(m.tablet_title(), width / 2, MARGIN + 22, title, INK, width - 2 * MARGIN);

  sheet.names.forEach((name, seat) => {
    const middle = columnOf(seat) + (TOTAL + BID) / 2;
    write(shortened(name, 11), middle, rowOf(0) - 16, `600 15px ${fonts.text}`);
  });
  sheet.rounds.forEach((line, index) => {
    const y = rowOf(index) + ROW / 2;
    rule(MARGIN, rowOf(index), right, rowOf(index), index === 0 ? 2 : 1);
    write(`${index + 1}`, MARGIN + ROUND / 2, y, `600 15px ${fonts.text}`, SOFT);
    const finished = lines[index];
    if (finished === undefined) return;
    sheet.names.forEach((_, seat) => {
      const made = entry(finished, seat);
      const x = columnOf(seat);
      if (made.met) {
        brush.fillStyle = "rgb(238 178 50 / 0.34)";
        brush.fillRect(x + TOTAL, rowOf(index), BID, ROW);
      }
      write(plain(made.total), x + TOTAL / 2, y, `700 17px ${fonts.text}`);
      write(`${made.changed ?? made.bid ?? ""}`, x + TOTAL + BID / 2, y, `15px ${fonts.text}`);
      if (line.dealer === seat) {
        const y = rowOf(index) + 3;
        brush.fillStyle = SOFT;
        path([x + 3, y], [x + 9, y], [x + 3, y + 6]);
        brush.fill();
      }
    });
  });

  const foot = rowOf(sheet.rounds.length);
  const first = leaders(sheet.places, lines);
  rule(MARGIN, foot, right, foot, 2);
  sum(MARGIN + ROUND / 2, foot + ROW / 2 + 3);
  sheet.totals.forEach((total, seat) => {
    if (first.includes(seat)) {
      brush.fillStyle = "#eebf4d";
      brush.fillRect(columnOf(seat) + 4, foot + 5, TOTAL + BID - 8, ROW - 6);
    }
    const middle = columnOf(seat) + (TOTAL + BID) / 2;
    write(plain(total), middle, foot + ROW / 2 + 3, `700 19px ${fonts.text}`);
  });
  sheet.names.forEach((_, seat) => {
    const x = columnOf(seat);
    rule(x, MARGIN + HEAD - 32, x, foot + ROW, 1.5);
    rule(x + TOTAL, rowOf(0), x + TOTAL, foot, 0.5);
  });
  write(m.app_name(), width / 2, height - MARGIN / 2 - 4, `600 14px ${fonts.title}`, SOFT);
}

/** The picture as a PNG file. */
export async function paint(sheet: Sheet): Promise<Blob> {
  const canvas = document.createElement("canvas");
  const { width, height } = pictureSize(sheet);
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const brush = canvas.getContext("2d");
  if (brush === null) throw new Error("this browser has no canvas");
  brush.scale(SCALE, SCALE);
  const style = getComputedStyle(document.documentElement);
  const fonts = {
    text: style.getPropertyValue("--font"),
    title: style.getPropertyValue("--font-title"),
  };
  // A canvas does not wait for fonts, and does not redraw when they arrive.
  const letters = [m.tablet_title(), m.app_name(), ...sheet.names].join("");
  await Promise.allSettled([
    ...[400, 600, 700].map((weight) =>
      document.fonts.load(`${weight} 15px ${fonts.text}`, letters),
    ),
    document.fonts.load(`600 30px ${fonts.title}`, letters),
  ]);
  drawSheet(brush, sheet, fonts);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob === null ? failed(new Error("no picture")) : done(blob)));
  });
}
