/** A `@param name text` line of a generated client's doc comments. */
const parameterLine = /^ *\* @param _?([A-Za-z]+) (.+)$/gm;

const entities: ReadonlyMap<string, string> = new Map([['&#x60;', '`'], ['&#x3D;', '='], ['&#39;', '\''], ['&quot;', '"'], ['&lt;', '<'], ['&gt;', '>'], ['&amp;', '&']]);

/**
 * Reads the texts of query parameters from the doc comments of a client class. The client has them on one line: two spaces
 * stand for an empty line.
 */
export function declaredParameters(text: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [, name = '', line = ''] of text.matchAll(parameterLine)) {
    if (!texts.has(name)) texts.set(name, plainText(line));
  }
  return texts;
}

function plainText(line: string): string {
  return line.replace(/\\?(&(?:#x?[0-9A-F]+|[a-z]+);)/g, (whole, entity: string) => entities.get(entity) ?? whole).replaceAll(/(?<=[.:a-z)]) {2}(?=[A-Z])/g, '\n\n');
}
