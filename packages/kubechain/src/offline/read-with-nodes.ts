import { isMap, isScalar, isSeq, LineCounter, type Document, type Node } from 'yaml';
import { manifestDocuments } from '../testing/read-manifests.ts';
import { isForServers, type Place, type SourceError, type SourceObject, type Sources } from './source-object.ts';

/**
 * The objects of a text, and where each of their nodes is: several times the work of reading them alone.
 * @param file what it is called
 */
export function readWithNodes(file: string, text: string): Sources {
  const lines = new LineCounter();
  const objects: SourceObject[] = [];
  const errors: SourceError[] = [];
  for (const document of manifestDocuments(text, lines)) {
    const template = /^ ?Source: (\S+)/m.exec(`${document.commentBefore ?? ''}\n${commentOf(document)}`)?.[1];
    const at = (offset: number): Place => {
      const { col, line } = lines.linePos(offset);
      return { file, line, column: col, ...(template === undefined ? {} : { template }) };
    };
    const [error] = document.errors;
    if (error !== undefined) {
      errors.push({ message: error.message.split('\n', 1)[0] ?? '', place: at(error.pos[0]) });
      continue;
    }
    if (!isSeqOfItems(document)) {
      if (document.contents !== null) objects.push(objectOf(document.contents, document, at));
      continue;
    }
    for (const item of document.get('items').items) objects.push(objectOf(item, document, at));
  }
  return { objects: objects.filter(({ value }) => isForServers(value)), errors };
}

/** The comment in front of its first member is that member's. */
function commentOf({ contents }: Document): string {
  if (!isMap(contents)) return '';
  const [first] = contents.items;
  const key = first?.key as { readonly commentBefore?: string | null } | undefined;
  return `${contents.commentBefore ?? ''}\n${key?.commentBefore ?? ''}`;
}

function isSeqOfItems(document: Document): document is Document & { get(key: 'items'): { items: Node[] } } {
  const { contents } = document;
  return isMap(contents) && String(contents.get('kind')).endsWith('List') && isSeq(contents.get('items'));
}

function objectOf(node: Node, document: Document, at: (offset: number) => Place): SourceObject {
  return {
    value: node.toJS(document),
    place: (path = '') => at(nodeAt(node, stepsOf(path)).range?.[0] ?? 0),
  };
}

/** `spec.containers[0].env[name]` by its steps; a key in brackets may hold dots. */
function stepsOf(path: string): string[] {
  return [...path.matchAll(/\[([^[\]]*)\]|([^.[\]]+)/g)].map(([, key, name]) => key ?? name ?? '');
}

/** The node of a path, or the last one on the way to it that is there. */
function nodeAt(from: Node, steps: readonly string[]): Node {
  let node = from;
  for (const step of steps) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
      if (pair === undefined) return node;
      // What a member holds may begin on the next line; it is the member that is read.
      if (!isMap(pair.value) && !isSeq(pair.value)) return pair.key as Node;
      node = pair.value;
      if (step === steps.at(-1)) return pair.key as Node;
    } else if (isSeq(node)) {
      const item = node.items[Number(step)] as Node | undefined;
      if (item === undefined) return node;
      node = item;
    } else return node;
  }
  return node;
}
