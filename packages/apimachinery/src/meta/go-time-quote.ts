import { quoteEach } from '../errors/go-format.ts';

/** Text in quotes as Go's time package prints it in errors: control and non-ASCII bytes as `\xNN`. */
export function quoteForTime(text: string): string {
  return quoteEach(text, 0x7f, escape);
}

/** A whole character, as its bytes in UTF-8; half of one is written as Go's replacement character. */
function escape(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  let out = '';
  for (const byte of Buffer.from(character, 'utf8')) out += `\\x${byte.toString(16).padStart(2, '0')}`;
  return out;
}
