/** One line of a plot. */
export interface Line {
  readonly name: string;
  /** Of x and y, both above 0, by x. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Drawn in dashes: what the lines are compared with. */
  readonly dashed?: boolean;
}

/** What a plot shows; both axes are logarithmic. */
export interface Plot {
  readonly title: string;
  /** What is counted along x. */
  readonly x: string;
  readonly lines: readonly Line[];
}

const width = 640;
const height = 372;
/** Names of lines that stand side by side below the picture. */
const namesOfRow = 3;
const area = { left: 60, right: 605, top: 34, bottom: 312 };
const colours = ['#1f6feb', '#bf3989', '#1a7f37', '#bc4c00', '#8250df'];

/** A picture of Markdown documents, in SVG: readable on light and on dark pages, since it has a ground of its own. */
export function plotSVG({ lines, title, x }: Plot): string {
  const all = lines.flatMap(({ points }) => points);
  const across = scale(
    all.map(([of]) => of),
    [area.left, area.right],
  );
  const up = scale(
    all.map(([, of]) => of),
    [area.bottom, area.top],
  );
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${area.left}" y="20" font-size="14" fill="#1f2328">${escaped(title)}</text>`,
    ...up.ticks.map((tick) => {
      const y = up.place(tick);
      return (
        `<line x1="${area.left}" x2="${area.right}" y1="${y}" y2="${y}" stroke="#d1d9e0"/>` +
        `<text x="${area.left - 6}" y="${y + 4}" text-anchor="end" fill="#59636e">${told(tick)}</text>`
      );
    }),
    ...[...new Set(all.map(([of]) => of))].map(
      (of) =>
        `<text x="${across.place(of)}" y="${area.bottom + 16}" text-anchor="middle" fill="#59636e">${told(of)}</text>`,
    ),
    `<text x="${area.right}" y="20" text-anchor="end" fill="#59636e">${escaped(x)} →</text>`,
    ...lines.map((line, i) => drawn(line, i, { across, up })),
    ...lines.map(({ dashed, name }, i) => key(name, i, dashed === true)),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

interface Scale {
  readonly ticks: readonly number[];
  place(value: number): number;
}

/** From the power of ten below the least value to the one above the largest. */
function scale(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    place: (value) => Math.round(from + ((Math.log10(value) - low) / (high - low)) * (to - from)),
  };
}

function drawn(
  { dashed, points }: Line,
  index: number,
  { across, up }: { readonly across: Scale; readonly up: Scale },
): string {
  const colour = colours[index % colours.length]!;
  const places = points.map(([x, y]) => [across.place(x), up.place(y)] as const);
  const stroke = `stroke="${colour}" stroke-width="2"${dashed === true ? ' stroke-dasharray="5 4"' : ''}`;
  return [
    `<polyline points="${places.map((place) => place.join(',')).join(' ')}" fill="none" ${stroke}/>`,
    ...places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`),
    ...places.map(([x, y], i) => {
      const value = told(points[i]![1]);
      return `<text x="${x}" y="${y - 7}" text-anchor="middle" font-size="11" fill="${colour}">${value}</text>`;
    }),
  ].join('');
}

function key(name: string, index: number, dashed: boolean): string {
  const x = 12 + (index % namesOfRow) * 210;
  const y = area.bottom + 34 + Math.floor(index / namesOfRow) * 18;
  const colour = colours[index % colours.length]!;
  return (
    `<line x1="${x}" x2="${x + 20}" y1="${y - 4}" y2="${y - 4}" stroke="${colour}" stroke-width="2"` +
    `${dashed ? ' stroke-dasharray="5 4"' : ''}/>` +
    `<text x="${x + 25}" y="${y}" font-size="11" fill="#1f2328">${escaped(name)}</text>`
  );
}

/** A number as people write it. */
export function told(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(2)));
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
