/** Text in quotes as Go's time package prints it in errors: control and non-ASCII bytes as `\xNN`. */
export function quoteForTime(text: string): string {
  return `"${odd.test(text) ? text.replace(allOdd, escape) : text}"`;
}

const odd = /[^ !#-[\]-\u007f]/;
/** Whole characters; half of one is written as Go's replacement character. */
const allOdd = /[^ !#-[\]-\u007f]/gu;

function escape(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  let out = '';
  for (const byte of Buffer.from(character, 'utf8')) out += `\\x${byte.toString(16).padStart(2, '0')}`;
  return out;
}
