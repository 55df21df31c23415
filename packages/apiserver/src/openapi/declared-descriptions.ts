import type { DefinitionDescriptions } from './built-in-schema.ts';

/** A doc comment: lines that begin with ` * ` at some indentation. */
const comment = /^( *)\/\*\*\n((?:^ *\*.*\n)*?)^ *\*\/\n/gm;

/**
 * Reads the doc comments of one TypeScript declaration file: of the interface or type `I<name>`, and of the members of
 * the interface.
 * Comments inside members are not looked at.
 */
export function declaredDescriptions(text: string, name: string): DefinitionDescriptions {
  let description: string | undefined;
  const fields = new Map<string, string>();
  const start = text.indexOf(`export interface I${name} `);
  const end = start < 0 ? -1 : text.indexOf('\n}\n', start);
  for (const match of text.matchAll(comment)) {
    const [whole, indent = '', lines = ''] = match;
    const next = text.slice(match.index + whole.length, match.index + whole.length + 200);
    if (indent === '' && (next.startsWith(`export interface I${name} `) || next.startsWith(`export type I${name} `)))
      description ??= textOf(lines);
    else if (indent.length === 4 && start >= 0 && match.index > start && match.index < end) {
      const member = /^ *"([^"]+)"/.exec(next)?.[1];
      if (member !== undefined) fields.set(member, textOf(lines));
    }
  }
  return { ...(description === undefined ? {} : { description }), fields };
}

/** Reads the doc comment of one `export type` of a TypeScript declaration file. */
export function declaredTypeDescription(text: string, name: string): string | undefined {
  for (const { index, 0: whole, 1: indent, 2: lines = '' } of text.matchAll(comment)) {
    if (indent === '' && text.startsWith(`export type ${name} `, index + whole.length)) return textOf(lines);
  }
  return undefined;
}

/** A tag that the packages put after the text of what is deprecated. */
const deprecatedTag = '\n@deprecated';

/** Doc comments escape `*` and tags; what is left is the text. */
function textOf(lines: string): string {
  const text = lines
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, ''))
    .join('\n');
  return (text.endsWith(deprecatedTag) ? text.slice(0, -deprecatedTag.length) : text)
    .replaceAll('\\*', '*')
    .replaceAll('*\\/', '*/')
    .replaceAll('\\@', '@');
}
