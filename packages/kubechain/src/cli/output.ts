import { styleText } from 'node:util';

/** How results are printed: for people, or as JSON for programs. */
export interface Output {
  readonly json: boolean;
  /** A result: `data` as JSON, or the lines. */
  result(data: unknown, lines: () => readonly string[]): void;
  /** Coloured where people read on a terminal. */
  colour(colour: 'green' | 'red' | 'yellow' | 'dim', text: string): string;
}

/** Writes to stdout; colours follow NO_COLOR, FORCE_COLOR and whether it is a terminal. */
export function outputTo(stream: NodeJS.WriteStream, json: boolean): Output {
  return {
    json,
    result: (data, lines) => {
      stream.write(json ? `${JSON.stringify(data, undefined, 2)}\n` : `${lines().join('\n')}\n`);
    },
    colour: (colour, text) => (json ? text : styleText(colour, text, { stream })),
  };
}
