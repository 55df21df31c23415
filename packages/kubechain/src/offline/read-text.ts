import { isDecodeError } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';
import { readWithNodes } from './read-with-nodes.ts';
import { isForServers, type Place, type SourceObject, type Sources } from './source-object.ts';

/** What ends a document before its file does, speaks of all of it, or is a number that is not exact as one of ours. */
const needsNodes = /^(?:\.\.\.(?=\s|$)|%)|\d{17}/m;
const marker = /^---(?=\s|$)/gm;
/** The marker, and lines without content behind it. */
const leading = /^(?:---)?(?:[^\S\n]*(?:#.*)?\n)*\s*/;

/**
 * The objects of a text. Nodes and their places are looked for where somebody asks for one: most objects have nothing
 * wrong with them.
 * @param file what it is called
 */
export function readText(file: string, text: string): Sources {
  if (needsNodes.test(text)) return readWithNodes(file, text);
  try {
    return { objects: documentsOf(text).flatMap((document) => objectsOf(file, document)), errors: [] };
  } catch (error) {
    // It is told with its place.
    if (isDecodeError(error) || error instanceof UnclearError) return readWithNodes(file, text);
    throw error;
  }
}

/** What only nodes can tell: a key that stands there twice. */
class UnclearError extends Error {}

/** A document of a file. */
interface DocumentText {
  readonly text: string;
  /** Lines in front of it. */
  readonly line: number;
}

function documentsOf(text: string): DocumentText[] {
  const starts = [0, ...[...text.matchAll(marker)].map(({ index }) => index)];
  let line = 0;
  return starts.map((start, i) => {
    const document = { text: text.slice(start, starts[i + 1]), line };
    line += linesIn(document.text);
    return document;
  });
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function objectsOf(file: string, { line, text }: DocumentText): readonly SourceObject[] {
  const [before = ''] = leading.exec(text) ?? [];
  if (before.length === text.length) return [];
  const { duplicates, value } = yamlValue(text);
  if (duplicates !== undefined) throw new UnclearError(duplicates);
  const template = /^# ?Source: (\S+)/m.exec(before)?.[1];
  const inFile = (place: Place): Place => ({ ...place, line: place.line + line });
  let nodes: readonly SourceObject[] | undefined;
  const withNodes = (index: number): SourceObject | undefined => (nodes ??= readWithNodes(file, text).objects)[index];
  const begin: Place = {
    file,
    line: linesIn(before) + 1,
    column: before.length - before.lastIndexOf('\n'),
    ...(template === undefined ? {} : { template }),
  };
  const object = (one: unknown, index: number, own: boolean): SourceObject => ({
    value: one,
    place: (path = '') => inFile(path === '' && own ? begin : (withNodes(index)?.place(path) ?? begin)),
  });
  return isList(value)
    ? value.items.filter(isForServers).map((item, index) => object(item, index, false))
    : [value].filter(isForServers).map((one) => object(one, 0, true));
}

function isList(value: unknown): value is { readonly items: readonly unknown[] } {
  const { items, kind } = (value ?? {}) as { readonly kind?: unknown; readonly items?: unknown };
  return String(kind).endsWith('List') && Array.isArray(items);
}
