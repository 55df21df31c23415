import { compareText } from '../errors/go-format.ts';
import { elementKey, sortByElement } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/*
 * Putting the wire form of a set together as text, without the set: what is the same for all walks that do so.
 */

/** The fields of one object as `"f:name":{…}`, in the order of their ranks. */
export interface FieldTexts {
  readonly ranks: number[];
  readonly texts: string[];
}

/** Mostly appends or nearly so: objects come in the order of their types, which is much like that of names. */
export function insertField({ ranks, texts }: FieldTexts, rank: number, text: string): void {
  let at = ranks.length;
  while (at > 0 && (ranks[at - 1] as number) > rank) {
    ranks[at] = ranks[at - 1] as number;
    texts[at] = texts[at - 1] as string;
    at--;
  }
  ranks[at] = rank;
  texts[at] = text;
}

/** The node of one item of a list. */
export interface ItemText {
  readonly element: PathElement;
  readonly text: string;
}

/** Items in order, joined; `undefined` when one occurs twice. Changes `items`. */
export function joinItems(items: ItemText[]): string | undefined {
  sortByElement(items, ({ element }) => element);
  if (items.some(({ element }, i) => element === items[i - 1]?.element)) return undefined;
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${elementKey(item.element)}${item.text}`;
  return text;
}

/** Keys in the order of elements. */
export function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  for (let i = 1; i < keys.length; i++)
    if (compareText(keys[i - 1] as string, keys[i] as string) > 0) return keys.sort(compareText);
  return keys;
}

export function isEmpty(value: object): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
