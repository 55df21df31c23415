/*
 * What `/x+$/` would do, in one pass: that pattern starts again at every run of the character.
 */

/** The text without the `character`s at its end. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** The text without the `character`s at its start and end. */
export function trimOf(text: string, character: string): string {
  const rest = trimEndOf(text, character);
  let start = 0;
  while (start < rest.length && rest[start] === character) start++;
  return start === 0 ? rest : rest.slice(start);
}
