import { END, isLineBreak, isSpaceOrEnd } from './cursor.ts';

/** What libyaml's emitter finds out about a scalar before it chooses a style. */
export interface ScalarAnalysis {
  readonly multiline: boolean;
  readonly plainAllowed: boolean;
  readonly singleQuotedAllowed: boolean;
  readonly blockAllowed: boolean;
}

/** Styles in which a text can be written in block context (yaml_emitter_analyze_scalar of libyaml and yaml.v2). */
export function analyzeScalar(text: string): ScalarAnalysis {
  if (text === '') return { multiline: false, plainAllowed: true, singleQuotedAllowed: true, blockAllowed: false };
  let indicators = text.startsWith('---') || text.startsWith('...');
  let special = false,
    lineBreaks = false;
  let leadingSpace = false,
    leadingBreak = false,
    trailingSpace = false,
    trailingBreak = false,
    breakSpace = false,
    spaceBreak = false;
  let previousSpace = false,
    previousBreak = false,
    precededByBlank = true;
  const { length } = text;
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    const plain = PLAIN_CHARACTERS[c];
    if (plain === 1 && i > 0) {
      previousSpace = previousBreak = precededByBlank = false;
      continue;
    }
    const next = i + 1 < length ? text.charCodeAt(i + 1) : END;
    const lineBreak = isLineBreak(c);
    if (i === 0) {
      if (STARTS_TOKEN.has(c) || ((c === 0x3f || c === 0x3a || c === 0x2d) && isSpaceOrEnd(next))) indicators = true;
    } else if ((c === 0x3a && isSpaceOrEnd(next)) || (c === 0x23 && precededByBlank)) indicators = true;
    if (!isPrintable(c)) special = true;
    if (lineBreak) lineBreaks = true;
    if (c === 0x20) {
      if (i === 0) leadingSpace = true;
      if (next === END) trailingSpace = true;
      if (previousBreak) breakSpace = true;
      previousSpace = true;
      previousBreak = false;
    } else if (lineBreak) {
      if (i === 0) leadingBreak = true;
      if (next === END) trailingBreak = true;
      if (previousSpace) spaceBreak = true;
      previousSpace = false;
      previousBreak = true;
    } else previousSpace = previousBreak = false;
    precededByBlank = c === 0x20 || c === 0x09 || lineBreak;
  }
  const edges = leadingSpace || leadingBreak || trailingSpace || trailingBreak;
  return {
    multiline: lineBreaks,
    plainAllowed: !(edges || breakSpace || spaceBreak || special || lineBreaks || indicators),
    singleQuotedAllowed: !(breakSpace || spaceBreak || special),
    blockAllowed: !(trailingSpace || spaceBreak || special),
  };
}

const STARTS_TOKEN = new Set(Array.from('#,[]{}&*!|>\'"%@`', (c) => c.charCodeAt(0)));

/** Letters, digits and the like, which mean nothing but behind the first place of a text. */
const PLAIN_CHARACTERS = Uint8Array.from({ length: 0x7f }, (_, code) =>
  code > 0x20 && code !== 0x23 && code !== 0x3a ? 1 : 0,
);

/** What yaml.v2 writes unescaped; it knows nothing beyond the basic plane. Takes a UTF-16 code unit. */
export function isPrintable(code: number): boolean {
  return (
    code === 0x0a ||
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  );
}
