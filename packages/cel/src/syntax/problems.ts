/** Something wrong with an expression, and where; without a place it concerns all of it. */
export interface CelProblem {
  readonly at: number | undefined;
  readonly text: string;
}

const maxProblems = 100;
const maxSnippet = 16_384;

/** Problems in the form of cel-go (common/errors.go): place, line and a pointer, each, in the order of their places. */
export function formatProblems(source: string, problems: readonly CelProblem[]): string {
  const told = problems
    .slice(0, maxProblems)
    .toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1))
    .map((problem) => formatProblem(source, problem));
  if (problems.length > maxProblems) told.push(`${problems.length - maxProblems} more errors were truncated`);
  return told.join('\n');
}

function formatProblem(source: string, { at, text }: CelProblem): string {
  if (at === undefined) return `ERROR: <input>:-1:0: ${text}`;
  // Nothing has no place: cel-go counts columns from -1 there, and has no line to show.
  if (source === '') return `ERROR: <input>:1:0: ${text}`;
  const before = source.slice(0, at);
  const lines = before.split('\n');
  const column = Array.from(lines.at(-1) ?? '').length;
  const place = `ERROR: <input>:${lines.length}:${column + 1}: ${text}`;
  const snippet = (source.split('\n')[lines.length - 1] ?? '').replaceAll('\t', ' ');
  if (Buffer.byteLength(snippet) > maxSnippet) return place;
  // Wide characters get wide dots, so that the pointer stays below its character.
  const characters = Array.from(snippet);
  const dots = characters
    .slice(0, column)
    .map((character) => (isWide(character) ? '\uff0e' : '.'))
    .join('');
  return `${place}\n | ${snippet}\n | ${dots}${isWide(characters[column] ?? '') ? '\uff3e' : '^'}`;
}

function isWide(character: string): boolean {
  return character !== '' && (character.codePointAt(0) ?? 0) > 0x7f;
}
