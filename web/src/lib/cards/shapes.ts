/** Shapes that several drawings share, as path data. */

/** A five-pointed star around (x, y), its first point upward. */
export function star(x: number, y: number, radius: number, inner = 0.45): string {
  const points = Array.from({ length: 10 }, (_, at) => {
    const reach = at % 2 === 0 ? radius : radius * inner;
    const angle = (Math.PI * at) / 5 - Math.PI / 2;
    return `${(x + reach * Math.cos(angle)).toFixed(1)} ${(y + reach * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** A four-pointed sparkle around (x, y). */
export function sparkle(x: number, y: number, radius: number): string {
  const waist = radius * 0.18;
  return (
    `M${x} ${y - radius}Q${x + waist} ${y - waist} ${x + radius} ${y}` +
    `Q${x + waist} ${y + waist} ${x} ${y + radius}Q${x - waist} ${y + waist} ${x - radius} ${y}` +
    `Q${x - waist} ${y - waist} ${x} ${y - radius}Z`
  );
}
