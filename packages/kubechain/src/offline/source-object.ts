import { isMap, isScalar, isSeq, LineCounter, type Document, type Node } from 'yaml';
import { manifestDocuments } from '../testing/read-manifests.ts';

/** Where something stands. */
export interface Place {
  /** As it was named, `-` for standard input. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The template that a rendered chart has it from. */
  readonly template?: string;
}

/** Something that is to be an object, and where it stands. */
export interface SourceObject {
  readonly value: unknown;
  /**
   * Where it begins; with the path of a field (`spec.containers[0].image`) where that is, or as much of it as is
   * there.
   */
  readonly place: (path?: string) => Place;
}

/** What is no YAML. */
export interface SourceError {
  readonly message: string;
  readonly place: Place;
}

/** What files, folders and standard input hold, lists taken apart. */
export interface Sources {
  readonly objects: readonly SourceObject[];
  readonly errors: readonly SourceError[];
}

/** The objects of a text. `file`: what it is called. */
export function readText(file: string, text: string): Sources {
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
  return { objects: objects.filter(({ value }) => value !== null && !isKustomization(value)), errors };
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

function isKustomization(value: unknown): boolean {
  return (value as { readonly kind?: unknown }).kind === 'Kustomization';
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
