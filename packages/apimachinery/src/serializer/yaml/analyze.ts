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
  const characters = Array.from(text);
  characters.forEach((c, i) => {
    const next = characters[i + 1];
    const followedByBlank = next === undefined || next === ' ' || next === '\t' || isBreak(next);
    if (i === 0) {
      if ('#,[]{}&*!|>\'"%@`'.includes(c) || ((c === '?' || c === ':' || c === '-') && followedByBlank))
        indicators = true;
    } else if ((c === ':' && followedByBlank) || (c === '#' && precededByBlank)) indicators = true;
    if (!isPrintable(c)) special = true;
    if (isBreak(c)) lineBreaks = true;
    if (c === ' ') {
      if (i === 0) leadingSpace = true;
      if (next === undefined) trailingSpace = true;
      if (previousBreak) breakSpace = true;
      previousSpace = true;
      previousBreak = false;
    } else if (isBreak(c)) {
      if (i === 0) leadingBreak = true;
      if (next === undefined) trailingBreak = true;
      if (previousSpace) spaceBreak = true;
      previousSpace = false;
      previousBreak = true;
    } else previousSpace = previousBreak = false;
    precededByBlank = c === ' ' || c === '\t' || isBreak(c);
  });
  const edges = leadingSpace || leadingBreak || trailingSpace || trailingBreak;
  return {
    multiline: lineBreaks,
    plainAllowed: !(edges || breakSpace || spaceBreak || special || lineBreaks || indicators),
    singleQuotedAllowed: !(breakSpace || spaceBreak || special),
    blockAllowed: !(trailingSpace || spaceBreak || special),
  };
}

/** Line breaks of YAML 1.1. */
export function isBreak(c: string): boolean {
  return c === '\n' || c === '\r' || c === '\u0085' || c === '\u2028' || c === '\u2029';
}

/** What yaml.v2 writes unescaped; it knows nothing beyond the basic plane. */
export function isPrintable(c: string): boolean {
  const code = c.codePointAt(0) ?? 0;
  return (
    code === 0x0a ||
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  );
}
