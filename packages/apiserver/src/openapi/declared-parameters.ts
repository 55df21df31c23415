/** A `@param name text` line. */
const parameterLine = /^ *\* @param _?([A-Za-z]+) (.+)$/gm;

const entities: ReadonlyMap<string, string> = new Map([
  ['&#x60;', '`'],
  ['&#x3D;', '='],
  ['&#39;', "'"],
  ['&quot;', '"'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]);

/** Texts whose sentences are two spaces apart. */
const wordSpaced: ReadonlySet<string> = new Set(['insecureSkipTLSVerifyBackend']);

/**
 * Reads the texts of query parameters from the doc comments of a client class, by name; those of methods that
 * `contexts`
 * matches also by `context name`. The client has each text on one line: `plainText` finds the lines again.
 */
export function declaredParameters(text: string, contexts: ReadonlyMap<string, RegExp>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { comment, method } of documentedMethods(text)) {
    const names = [...contexts].filter(([, pattern]) => pattern.test(method)).map(([context]) => `${context} `);
    for (const [, name = '', line = ''] of comment.matchAll(parameterLine)) {
      const keys = [...names.map((context) => context + name), name].filter((key) => !texts.has(key));
      if (keys.length === 0) continue;
      const plain = plainText(line, wordSpaced.has(name));
      for (const key of keys) texts.set(key, plain);
    }
  }
  return texts;
}

/** The line breaks of the original have become one space each: an empty line is two, an indented line more. */
function plainText(line: string, spaced: boolean): string {
  const text = line.replace(
    /\\?(&(?:#x?[0-9A-F]+|[a-z]+);)/g,
    (whole, entity: string) => entities.get(entity) ?? whole,
  );
  if (spaced) return text;
  return text
    .replaceAll(/(?<=[.:a-z)]) {2}(?=[A-Z])/g, '\n\n')
    .replaceAll(/(?<=:) {4}(?=\S)/g, '\n\n  ')
    .replaceAll(/ {5}(?=\S)/g, '\n    ')
    .replaceAll(/(?<=\S) {3}(?=\S)/g, '\n  ')
    .replaceAll(/(?<=[.a-z]) {2}(?=hexStart)/g, '\n\n')
    .replaceAll(/(?<=[.a-z]) - (?=`)/g, '\n- ');
}

/** Doc comments of methods, with the methods' names. */
function documentedMethods(text: string): { readonly comment: string; readonly method: string }[] {
  return text.split('/**\n').flatMap((part) => {
    const end = part.indexOf('*/\n');
    const method = end < 0 ? undefined : /^ *([A-Za-z]+)\(/.exec(part.slice(end + 3, part.indexOf('(', end) + 1))?.[1];
    return method === undefined ? [] : [{ comment: part.slice(0, end), method }];
  });
}
