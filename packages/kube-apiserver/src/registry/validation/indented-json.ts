/** Compact JSON with a line for each value, one space deeper at each level; what is empty stays on its line. */
export function indentedJSON(compact: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  const lineBreak = (end: number): void => {
    pieces.push(compact.slice(from, end), `\n${' '.repeat(depth)}`);
    from = end;
  };
  for (let at = 0; at < compact.length; at++) {
    switch (compact[at]) {
      case '"':
        at = endOfText(compact, at);
        break;
      case '{':
      case '[':
        if (isClosing(compact[at + 1])) at++;
        else {
          depth++;
          lineBreak(at + 1);
        }
        break;
      case '}':
      case ']':
        depth--;
        lineBreak(at);
        break;
      case ',':
        lineBreak(at + 1);
        break;
      case ':':
        pieces.push(compact.slice(from, at + 1), ' ');
        from = at + 1;
        break;
      default:
    }
  }
  return pieces.join('') + compact.slice(from);
}

function isClosing(character: string | undefined): boolean {
  return character === '}' || character === ']';
}

/** Where the text ends that begins at `start`. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
